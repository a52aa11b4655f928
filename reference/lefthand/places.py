"""Position lines that disagree with the student's own map in one constant way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from reference.lefthand.output import ToldFrame
from reference.lefthand.turn import at
from reference.lefthand.wording import Slip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from reference.lefthand.expected import Expected
    from reference.lefthand.turn import Place

    Change = Callable[[Place], Place]


class Misread(msgspec.Struct, frozen=True, kw_only=True):
    """The frames with the places that their maps show, and what was wrong with their lines."""

    frames: tuple[ToldFrame, ...]
    slip: Slip | None = None


def misread_places(expected: Expected, frames: tuple[ToldFrame, ...]) -> Misread:
    """Find what turns every drawn place into the told one; the lines are corrected by it."""
    pairs = list(_pairs(expected, frames))
    if all(drawn == told for _, drawn, told in pairs):
        return Misread(frames=frames)
    for kind, words, change in _changes(expected, pairs[0][1], pairs[0][2]):
        if all(change(drawn) == told for _, drawn, told in pairs):
            number, drawn, told = next(pair for pair in pairs if pair[1] != pair[2])
            found = f"{told[0]},{told[1]}"
            slip = Slip(
                kind=kind,
                words=f"{words}. In frame {number} your map shows the solver at {at(drawn)}; your line says {found}",
                expected=f"Current Position:  {drawn[0]},{drawn[1]}",
                found=frames[number].position.text,
                frame=number,
            )
            places = {number: drawn for number, drawn, _ in pairs}
            return Misread(frames=_corrected(frames, places), slip=slip)
    return Misread(frames=frames)


def _pairs(expected: Expected, frames: tuple[ToldFrame, ...]) -> Iterator[tuple[int, Place, Place]]:
    """Give the number of each frame that has both, the place that is drawn and the one that is told."""
    for number, told in enumerate(frames):
        drawn = expected.drawn(told) if told.place is not None else None
        if drawn is not None and told.place is not None:
            yield number, (drawn.x, drawn.y), told.place


def _changes(expected: Expected, drawn: Place, told: Place) -> Iterator[tuple[str, str, Change]]:
    right, down = told[0] - drawn[0], told[1] - drawn[1]
    row_of = {y: row for row, y in enumerate(expected.heights)}
    swapped = "x and y are swapped in your position lines: x, the column, comes first, then y, the row"
    yield "swapped-xy", swapped, lambda place: (place[1], place[0])
    below = len(expected.maze.rows) - 1
    upwards = "rows are counted from the top, your position lines count from the bottom"
    yield "from-the-bottom", upwards, lambda place: (place[0], below - place[1])
    dropped = "your rows are counted without the empty lines of the file, which are rows, too"
    yield "rows-dropped", dropped, lambda place: (place[0], row_of.get(place[1], place[1]))
    if (right, down) == (1, 1):
        yield "from-one", "columns and rows are counted from 0, your position lines count from 1", _shift(right, down)
    else:
        off = f"every position line is off by {right} in x and {down} in y"
        yield "offset", off, _shift(right, down)


def _shift(right: int, down: int) -> Change:
    return lambda place: (place[0] + right, place[1] + down)


def _corrected(frames: tuple[ToldFrame, ...], places: dict[int, Place]) -> tuple[ToldFrame, ...]:
    """Put the drawn places in; what has no single arrow loses its place, which can't be trusted."""
    return tuple(replace(told, place=places.get(number)) for number, told in enumerate(frames))
