"""The maze, the four facings and a pose in it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

BLANK = " "
LEFT_BEHIND = "."
START = "S"
END = "E"


class Facing(StrEnum):
    """The way the solver looks, each the left of the one before it."""

    N = "N"
    W = "W"
    S = "S"
    E = "E"

    @property
    def left(self) -> Facing:
        return _LEFT[self]

    @property
    def right(self) -> Facing:
        return _LEFT[_LEFT[_LEFT[self]]]

    @property
    def back(self) -> Facing:
        return _LEFT[_LEFT[self]]

    @property
    def step(self) -> tuple[int, int]:
        """The change of (x, y); y grows to the south."""
        return _STEPS[self]

    @property
    def arrow(self) -> str:
        return _ARROWS[self]


_LEFT = {Facing.N: Facing.W, Facing.W: Facing.S, Facing.S: Facing.E, Facing.E: Facing.N}
_STEPS = {Facing.N: (0, -1), Facing.W: (-1, 0), Facing.S: (0, 1), Facing.E: (1, 0)}
_ARROWS = {Facing.N: "^", Facing.W: "<", Facing.S: "v", Facing.E: ">"}


class Pose(msgspec.Struct, frozen=True):
    """Where the solver stands and which way it looks."""

    x: int
    y: int
    facing: Facing

    @property
    def ahead(self) -> tuple[int, int]:
        step_x, step_y = self.facing.step
        return self.x + step_x, self.y + step_y


class Maze(msgspec.Struct, frozen=True, kw_only=True):
    """A map as its file holds it: rows may be of different lengths."""

    rows: tuple[str, ...]
    start: tuple[int, int]
    """(x, y), as everywhere in this kit; (0, 0) is the top left."""
    end: tuple[int, int]
    newline: str = "\n"
    final_newline: bool = True

    @property
    def width(self) -> int:
        return max(map(len, self.rows))

    def at(self, x: int, y: int) -> str:
        """Give the character of a square; everything beyond a row's end and off the map is blank."""
        if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[y]):
            return self.rows[y][x]
        return BLANK

    def is_walkable(self, x: int, y: int) -> bool:
        return self.at(x, y) != BLANK

    def padded(self) -> list[str]:
        """Give the rows at equal length."""
        width = self.width
        return [row.ljust(width) for row in self.rows]
