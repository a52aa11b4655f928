"""Alice mazes: one puzzle, three written formats."""

_SECRET = ("solve", "mistaken", "mistakes", "plant", "simplify", "generate", "generate_loader")

WITHHELD = tuple(f"reference.alice.{name}" for name in _SECRET)
"""Modules that stay out of what students get."""
