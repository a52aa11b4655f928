"""Alice mazes: one puzzle, three written formats."""

_SECRET = ("solve", "suspects", "mistakes", "puzzles", "plant", "deep", "simplify")

WITHHELD = tuple(f"reference.alice.{name}" for name in _SECRET)
"""Modules that stay out of what students get."""
