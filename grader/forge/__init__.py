"""Speaks with git and its hosts."""
