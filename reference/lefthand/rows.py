"""The first square in which two drawings of the map differ, and what turns one into the other."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from reference.lefthand.maze import BLANK, END, LEFT_BEHIND, START, Facing, Maze, Pose
from reference.lefthand.output import shape_of
from reference.lefthand.turn import at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_ARROWS = {facing.arrow for facing in Facing}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    message: str
    expected: str
    found: str


def explain_picture(maze: Maze, pose: Pose, expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Compare maps without empty rows and trailing spaces; None when nothing differs."""
    if list(expected) == list(found):
        return None
    if whole := _as_a_whole(expected, found):
        return whole
    heights = [y for y, row in enumerate(maze.rows) if row.strip()]
    for y, row, drawn in zip(heights, expected, found, strict=False):
        if row != drawn:
            return _explain_row(maze, pose, y, row=row, drawn=drawn)
    message = f"the map has {len(expected)} rows that aren't empty, your frame draws {len(found)}"
    return Difference(kind="drawing", message=message, expected=f"{len(expected)} rows", found=f"{len(found)} rows")


def explain_shape(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise a map that was turned or lost spaces as a whole, wherever its arrow and dots are."""
    shapes = shape_of(expected), shape_of(found)
    whole = _as_a_whole(*shapes) if shapes[0] != shapes[1] else None
    if whole is None:
        return None
    row, drawn = next(((one, other) for one, other in zip(expected, found, strict=False) if one != other), ("", ""))
    return Difference(kind=whole.kind, message=whole.message, expected=row, found=drawn)


def _as_a_whole(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise a map that is right but for one thing that was done to all of it."""
    width = max(map(len, expected))
    columns = ("".join(column).rstrip() for column in zip_longest(*expected, fillvalue=BLANK))
    changed: dict[str, tuple[str, Iterable[str]]] = {
        "your map is transposed: its rows are printed as columns": ("transposed", filter(None, columns)),
        "your map is upside down: row 0 is printed first": ("upside-down", reversed(expected)),
        "your rows are printed from right to left": (
            "mirrored",
            (row.ljust(width)[::-1].rstrip() for row in expected),
        ),
        f"your rows lose the spaces at their beginning. {_SQUARES}": ("lost-spaces", map(str.lstrip, expected)),
        f"your rows lose their spaces. {_SQUARES}": ("lost-spaces", (row.replace(BLANK, "") for row in expected)),
        f"you print a space between squares. {_SQUARES}": ("spaces-between", map(" ".join, expected)),
        "you print a tab between the squares of a row": ("tabs", map("\t".join, expected)),
        "the map is drawn twice in one frame": ("drawn-twice", [*expected, *expected]),
    }
    fitting = {kind: message for message, (kind, rows) in changed.items() if list(rows) == list(found)}
    if len(fitting) > 1:
        fitting = {"lost-spaces": f"your rows have lost or gained spaces. {_SQUARES}"}
    for kind, message in fitting.items():
        return Difference(kind=kind, message=message, expected=expected[0], found=found[0])
    return _with_more(expected, found)


_SQUARES = "Spaces are squares, too: print each one between others"


def _with_more(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise lists that were printed, and what is printed before each row."""
    if len(expected) != len(found):
        return None
    if all(drawn.startswith("[") and drawn.endswith("]") for drawn in found):
        message = "you print the lists themselves; print ''.join(row) for each row"
        return Difference(kind="printed-lists", message=message, expected=expected[0], found=found[0])
    if all(len(drawn) > len(row) and drawn.endswith(row) for row, drawn in zip(expected, found, strict=True)):
        message = "something is printed before each row of the map"
        return Difference(kind="noise", message=message, expected=expected[0], found=found[0])
    return None


def _explain_row(maze: Maze, pose: Pose, y: int, *, row: str, drawn: str) -> Difference:
    kind, message = "drawing", f"row {y} of the map must be {row!r}; you print {drawn!r}"
    if "\t" in drawn and row.split() == drawn.split():
        kind, message = "tabs", f"row {y} of the map has a tab; print spaces"
    elif row.replace(BLANK, "") == drawn.replace(BLANK, ""):
        kind, message = "lost-spaces", f"row {y} of the map has lost or gained spaces. {_SQUARES}"
    elif len(drawn) > len(row) and drawn.endswith(row):
        kind, message = "noise", f"{drawn.removesuffix(row)!r} is printed before row {y} of the map"
    elif abs(len(row) - len(drawn)) <= 1:
        x = next(x for x in range(max(len(row), len(drawn))) if row[x : x + 1] != drawn[x : x + 1])
        kind, message = _explain_square(maze, pose, (x, y), row[x : x + 1] or BLANK, drawn[x : x + 1] or BLANK)
    elif drawn and row.startswith(drawn):
        message = (
            f"row {y} of the map goes on to column {len(row) - 1}; you print it up to column {len(drawn) - 1} only"
        )
    return Difference(kind=kind, message=message, expected=row, found=drawn)


def _explain_square(maze: Maze, pose: Pose, place: tuple[int, int], wanted: str, drawn: str) -> tuple[str, str]:
    where = at(place)
    if place == (pose.x, pose.y):
        kind = "start-drawn" if drawn == START else "arrow"
        return (
            kind,
            f"the solver is at {where} facing {pose.facing}, so {wanted!r} is drawn there; you draw {drawn!r}",
        )
    if wanted == LEFT_BEHIND and drawn == START:
        return "start-drawn", f"S at {where} was left behind, so it is drawn '.'; S itself is never drawn"
    if wanted == LEFT_BEHIND:
        kind = "arrow-stays" if drawn in _ARROWS else "no-dot"
        return kind, f"the solver has been at {where} and left it, so '.' is drawn there; you draw {drawn!r}"
    if place == maze.end:
        return "end-lost", f"E at {where} stays drawn to the end; you draw {drawn!r}"
    if drawn == END:
        return "drawing", f"at {where} the map has {wanted!r}; you draw E there"
    if drawn in _ARROWS:
        return "arrow", f"the solver is at {at((pose.x, pose.y))}, but an arrow {drawn!r} is drawn at {where}"
    if drawn == LEFT_BEHIND:
        return "dot-early", f"the solver hasn't been at {where} yet, so {wanted!r} stays there; you draw '.'"
    return "drawing", f"at {where} the map has {wanted!r}; you draw {drawn!r}"
