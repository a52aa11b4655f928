"""The left-hand rule on mazes without loops (seed 002)."""

from reference.lefthand.kit import SOLVERS, kit

__all__ = ["SOLVERS", "kit"]

WITHHELD = tuple(f"reference.lefthand.{name}" for name in ("walk", "transcript", "mistaken", "generate"))
"""Modules that stay out of what students get."""
