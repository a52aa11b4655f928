"""The Alice maze as frozen values, whatever format it was written in."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

import msgspec

Place = tuple[int, int]
"""Always (row, column), from (0, 0) at the top left; formats that say (column, row) turn it at their edge."""

UNSOLVABLE = -1
"""The number of steps that an expectation stores when there is no way to the goal."""


class Colour(StrEnum):
    BLACK = "black"
    RED = "red"
    YELLOW = "yellow"
    NONE = ""

    @property
    def change(self) -> int:
        """How d changes when a move lands here."""
        return {Colour.RED: 1, Colour.YELLOW: -1}.get(self, 0)


class Arrow(StrEnum):
    """The eight ways, clockwise from the top left."""

    NW = "NW"
    N = "N"
    NE = "NE"
    E = "E"
    SE = "SE"
    S = "S"
    SW = "SW"
    W = "W"

    @property
    def offset(self) -> Place:
        """One square that way, as (rows, columns)."""
        return OFFSETS[self]


OFFSETS: dict[Arrow, Place] = {
    Arrow.NW: (-1, -1),
    Arrow.N: (-1, 0),
    Arrow.NE: (-1, 1),
    Arrow.E: (0, 1),
    Arrow.SE: (1, 1),
    Arrow.S: (1, 0),
    Arrow.SW: (1, -1),
    Arrow.W: (0, -1),
}


class StartColour(StrEnum):
    """Whether the start's colour counts before the first move: a rule of the assignment."""

    IGNORED = "ignored"
    APPLIED = "applied"


class Square(msgspec.Struct, frozen=True, kw_only=True):
    """One square; without colour and arrows it is blank (or the goal)."""

    colour: Colour = Colour.NONE
    arrows: tuple[Arrow, ...] = ()
    """In the order in which they are written."""


BLANK = Square()


class Maze(msgspec.Struct, frozen=True, kw_only=True):
    rows: int
    columns: int
    start: Place
    goal: Place
    squares: tuple[Square, ...]
    """Row by row."""

    def at(self, place: Place) -> Square:
        row, column = place
        return self.squares[row * self.columns + column]

    def holds(self, place: Place) -> bool:
        """Tell whether the place lies inside the grid."""
        return 0 <= place[0] < self.rows and 0 <= place[1] < self.columns

    def is_blank(self, place: Place) -> bool:
        """Tell whether a move may not land here; the goal never is blank."""
        return place != self.goal and self.at(place).colour is Colour.NONE

    @property
    def longest_jump(self) -> int:
        """The largest d with which a move can stay inside the grid."""
        return max(self.rows, self.columns) - 1


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The fewest moves, with one path that needs no more."""

    steps: int
    path: tuple[Place, ...] = ()
    """From start to goal; empty when there is no solution."""


def first_step(maze: Maze, start_colour: StartColour) -> int:
    """Give d before the first move."""
    return 1 + (maze.at(maze.start).colour.change if start_colour is StartColour.APPLIED else 0)


_ARROW_OF = {offset: arrow for arrow, offset in OFFSETS.items()}


def transpose(maze: Maze) -> Maze:
    """Exchange rows and columns."""
    return _moved(maze, (maze.columns, maze.rows), lambda place: (place[1], place[0]))


def flip(maze: Maze) -> Maze:
    """Turn the maze upside down."""
    return _moved(maze, (maze.rows, maze.columns), lambda place: (maze.rows - 1 - place[0], place[1]))


def _moved(maze: Maze, size: tuple[int, int], move: Callable[[Place], Place]) -> Maze:
    """Build the maze anew; both turns undo themselves, so `move` finds the old place of a new one too."""
    origin = move((0, 0))

    def turned(arrow: Arrow) -> Arrow:
        there = move(OFFSETS[arrow])
        return _ARROW_OF[there[0] - origin[0], there[1] - origin[1]]

    def square(place: Place) -> Square:
        old = maze.at(move(place))
        return Square(colour=old.colour, arrows=tuple(sorted(map(turned, old.arrows), key=list(Arrow).index)))

    places = [(row, column) for row in range(size[0]) for column in range(size[1])]
    squares = tuple(square(place) for place in places)
    return Maze(rows=size[0], columns=size[1], start=move(maze.start), goal=move(maze.goal), squares=squares)


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one written format from the others."""

    parse: Callable[[str], Maze]
    write: Callable[[Maze], str]
    tell: Callable[[Answer], str]
    """Writes the answer as a program for this format prints it."""
    column_first: bool = False
    """Places are written (column,row)."""
    square_only: bool = False
    has_blanks: bool = True
    start_may_be_goal: bool = True
    has_bare: bool = True
    """A square may have a colour and no arrows."""
    colours_start: bool = False
    """The programs of this format agree about the start's colour, so puzzles may hang on it."""

    def show(self, place: Place) -> str:
        """Write a place as this format does."""
        return f"({place[1]},{place[0]})" if self.column_first else f"({place[0]}, {place[1]})"
