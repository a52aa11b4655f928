"""Make a maze simpler: without a row or column, with a plain one, by a square, an arrow or a colour."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from reference.alice.puzzle import BLANK, Colour, Maze, Place, Square

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.alice.puzzle import Form


def smaller(maze: Maze, form: Form) -> Iterator[Maze]:
    """Give the smaller mazes that the format can write, the greatest steps first."""
    yield from _cut(maze, form)
    yield from _plain_rows(maze, form)
    start = _number(maze, maze.start)  # where Alice stands is never blank
    for number, square in enumerate(maze.squares):
        for plainer in _plainer(square, form):
            squares = (*maze.squares[:number], plainer, *maze.squares[number + 1 :])
            changed = replace(maze, squares=squares)
            if plainer.colour or number == _number(maze, maze.goal) or (form.has_blanks and number != start):
                yield changed


def _number(maze: Maze, place: Place) -> int:
    return place[0] * maze.columns + place[1]


def _cut(maze: Maze, form: Form) -> Iterator[Maze]:
    rows = [row for row in range(maze.rows) if row not in {maze.start[0], maze.goal[0]}]
    columns = [column for column in range(maze.columns) if column not in {maze.start[1], maze.goal[1]}]
    if form.square_only:
        yield from (_without(maze, row, column) for row in rows for column in columns)
        return
    yield from (_without(maze, row, maze.columns) for row in rows)
    yield from (_without(maze, maze.rows, column) for column in columns)


def _without(maze: Maze, row: int, column: int) -> Maze:
    """Cut a row and a column; there is none beyond the grid to be cut."""
    begins = range(0, len(maze.squares), maze.columns)
    lines = [maze.squares[begin : begin + maze.columns] for begin in begins]
    lines = [line[:column] + line[column + 1 :] for line in lines[:row] + lines[row + 1 :]]

    def moved(place: Place) -> Place:
        return place[0] - (place[0] > row), place[1] - (place[1] > column)

    return Maze(
        rows=len(lines),
        columns=len(lines[0]),
        start=moved(maze.start),
        goal=moved(maze.goal),
        squares=tuple(chain.from_iterable(lines)),
    )


def _plain_rows(maze: Maze, form: Form) -> Iterator[Maze]:
    """Make a whole row as plain as can be, beside start and goal: of a large maze few squares matter."""
    kept = {_number(maze, maze.start), _number(maze, maze.goal)}
    for begin in range(0, len(maze.squares), maze.columns):
        row = set(range(begin, begin + maze.columns)) - kept
        squares = tuple(_plainest(s, form) if number in row else s for number, s in enumerate(maze.squares))
        if squares != maze.squares:
            yield replace(maze, squares=squares)


def _plainest(square: Square, form: Form) -> Square:
    if form.has_blanks or not square.colour:
        return BLANK
    return Square(colour=Colour.BLACK, arrows=() if form.has_bare else square.arrows[:1])


def _plainer(square: Square, form: Form) -> Iterator[Square]:
    if square == BLANK:
        return
    yield BLANK
    if (plainest := _plainest(square, form)) != square:
        yield plainest
    for arrow in square.arrows:
        rest = tuple(other for other in square.arrows if other is not arrow)
        if rest or form.has_bare or square.colour is Colour.NONE:
            yield replace(square, arrows=rest)
    if square.colour in {Colour.RED, Colour.YELLOW}:
        yield replace(square, colour=Colour.BLACK)
