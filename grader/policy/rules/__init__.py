"""The rules: a file for each family."""
