"""Finds the smallest puzzle that a solution gets wrong."""
