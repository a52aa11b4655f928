"""The stages of grading, in order."""
