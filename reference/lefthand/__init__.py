"""The left-hand rule on mazes without loops (seed 002)."""

from reference.lefthand.kit import kit

__all__ = ["kit"]
