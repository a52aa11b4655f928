"""Measures the grader as ratios to what a user would type instead."""
