"""The left-hand rule on mazes without loops (seed 002)."""

from reference.lefthand.kit import kit

__all__ = ["kit"]

WITHHELD = tuple(f"reference.lefthand.{name}" for name in ("walk", "transcript", "puzzles"))
"""Modules that stay out of what students get."""
