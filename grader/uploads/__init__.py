"""Speaks with learning platforms through their files: downloads and lists in, marks and feedback out."""
