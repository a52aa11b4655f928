"""Scans a submission against the assignment's rules."""
