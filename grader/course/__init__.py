"""Reads the course folder: one file that says what every command would else be told."""
