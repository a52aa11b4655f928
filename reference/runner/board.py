"""One map of the runner: a board of numbers."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import msgspec

from grader.model.run import python_text

FOOD = -1
FREE = 0
NOTHING = -1

Place = tuple[int, int]
"""Row and column, counted from 0."""


class Move(IntEnum):
    """The four moves, clockwise from the top."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    @property
    def step(self) -> Place:
        return _STEPS[self]


_STEPS = {Move.UP: (-1, 0), Move.RIGHT: (0, 1), Move.DOWN: (1, 0), Move.LEFT: (0, -1)}


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """Rows × columns integers, row by row, as `move_algo` gets them."""

    rows: int
    columns: int
    cells: tuple[int, ...]

    @classmethod
    def of(cls, rows: list[list[int]]) -> Board:
        return cls(rows=len(rows), columns=len(rows[0]), cells=tuple(cell for row in rows for cell in row))

    def at(self, place: Place) -> int:
        return self.cells[place[0] * self.columns + place[1]]

    def has(self, place: Place) -> bool:
        """Tell whether a place lies on the board."""
        return 0 <= place[0] < self.rows and 0 <= place[1] < self.columns

    def is_passable(self, place: Place) -> bool:
        return self.has(place) and self.at(place) in (FREE, FOOD)

    def place(self, index: int) -> Place:
        return divmod(index, self.columns)

    def head(self, runner_id: int) -> Place | None:
        """Give the runner's head, None when it is not on the board."""
        wanted = 2 * runner_id
        return self.place(self.cells.index(wanted)) if wanted in self.cells else None

    def arguments(self, runner_id: int) -> tuple[list[int], int, int, int]:
        """Give the arguments of one call of `move_algo`, with a list of its own."""
        return list(self.cells), runner_id, self.rows, self.columns

    def lines(self) -> list[str]:
        """Write the board, one row a line."""
        cells = iter(self.cells)
        return [" ".join(str(next(cells)) for _ in range(self.columns)) for _ in range(self.rows)]


def stepped(place: Place, move: Move) -> Place:
    """Give the place one step on, whether or not it lies on the board."""
    return place[0] + move.step[0], place[1] + move.step[1]


def told(value: Any) -> str:
    """Write a move with its name: `1 (right)`."""
    if is_number(value) and value in (-1, 0, 1, 2, 3):
        number = int(value)
        return f"{number} ({'nothing' if number == NOTHING else Move(number).name.lower()})"
    return python_text(value)[:60]


def is_number(value: Any) -> bool:
    return isinstance(value, int | float)
