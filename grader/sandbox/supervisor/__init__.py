"""Runs cases: starts zygotes, gives them what a case needs, watches, takes down the facts."""
