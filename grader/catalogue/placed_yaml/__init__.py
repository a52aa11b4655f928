"""YAML whose every value knows its place in the file."""
