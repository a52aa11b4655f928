"""Draws tables as scenes, for kits whose puzzles are lists, tables or texts instead of boards.

def draw(puzzle, claim):
    return tables_scene(expected=[solve(puzzle)], yours=[claim or []])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.scene import Frame, Scene, Square, Track

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_SHOWN = 60
"""Rows and columns of a table; more would be too small to read."""
_LETTERS = 4
"""Letters that fit into a square."""


def tables_scene(
    *,
    expected: Sequence[Sequence[object]],
    yours: Sequence[Sequence[object]],
    puzzle: Sequence[Sequence[object]] = (),
) -> Scene:
    """Draw the puzzle, the expected table and the student's, one below the other; what differs is red."""
    squares: list[Square] = []
    top = 0
    for table, model in ((puzzle, puzzle), (expected, expected), (yours, expected)):
        rows = [row[:_MOST_SHOWN] for row in table[:_MOST_SHOWN]]
        for number, row in enumerate(rows):
            wanted = model[number] if number < len(model) else ()
            squares += [
                Square(row=top + number, column=place, text=str(value)[:_LETTERS], look=_look(value, wanted, place))
                for place, value in enumerate(row)
            ]
        top += len(rows) + 1 if rows else 0
    words = ["the puzzle"] if puzzle else []
    caption = f"From top to bottom: {', '.join([*words, 'what is expected', 'yours'])}; what differs is red."
    return Scene(
        rows=max(1, top - 1),
        columns=max((square.column + 1 for square in squares), default=1),
        squares=tuple(squares),
        tracks=(Track(title="Expected and yours", frames=(Frame(caption=caption),)),),
        names={"square-red": "differs"},
    )


def _look(value: object, wanted: Sequence[object], place: int) -> str:
    is_same = place < len(wanted) and wanted[place] == value
    return "square" if is_same else "square-red"
