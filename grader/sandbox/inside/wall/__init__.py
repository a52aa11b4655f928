"""Builds the wall around a case: read this to judge what a program can reach."""
