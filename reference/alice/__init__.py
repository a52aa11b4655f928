"""Alice mazes: one puzzle, three written formats."""

WITHHELD = tuple(f"reference.alice.{name}" for name in ("solve", "puzzles", "plant", "deep", "simplify"))
"""Modules that stay out of what students get."""
