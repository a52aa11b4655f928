"""Turn a maze over: the same puzzle, with its arrows in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.alice.puzzle import OFFSETS, Arrow, Maze, Place, Square

if TYPE_CHECKING:
    from collections.abc import Callable

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
