"""The runner's kit: moves on given maps, and play in a closed loop."""

_SECRET = ("search", "pseudocode", "mistaken", "mistaken_play", "simplify", "generate")

WITHHELD = tuple(f"reference.runner.{name}" for name in _SECRET)
"""Modules that stay out of what students get."""
