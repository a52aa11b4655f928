"""Turns files, folders, zips and git tags into submissions."""
