"""Finds submissions whose source is alike."""
