"""Turns a grade sheet into words, pages and files, by audience."""
