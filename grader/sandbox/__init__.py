"""Runs one request behind the operating system's wall."""
