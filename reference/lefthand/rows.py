"""The first square in which two drawings of the map differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reference.lefthand.maze import BLANK, END, LEFT_BEHIND, START, Facing, Maze, Pose

if TYPE_CHECKING:
    from collections.abc import Sequence

_ARROWS = {facing.arrow for facing in Facing}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    message: str
    expected: str
    found: str


def explain_picture(maze: Maze, pose: Pose, expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Compare row by row without empty rows and trailing blanks; None when nothing differs."""
    numbered = [(y, row.rstrip()) for y, row in enumerate(expected) if row.strip()]
    for (y, row), drawn in zip(numbered, found, strict=False):
        if row != drawn:
            return Difference(message=_explain_row(maze, pose, y, row=row, drawn=drawn), expected=row, found=drawn)
    if len(numbered) != len(found):
        counts = f"the map has {len(numbered)} rows that aren't empty, your frame draws {len(found)}"
        return Difference(message=counts, expected=_rows(len(numbered)), found=_rows(len(found)))
    return None


def _rows(count: int) -> str:
    return f"{count} rows"


def _explain_row(maze: Maze, pose: Pose, y: int, *, row: str, drawn: str) -> str:
    if row.replace(BLANK, "") == drawn.replace(BLANK, ""):
        return f"row {y} of the map has lost or gained blanks: blanks are squares too, keep every one between others"
    x = next(x for x in range(max(len(row), len(drawn))) if row[x : x + 1] != drawn[x : x + 1])
    if abs(len(row) - len(drawn)) > 1:
        return f"row {y} of the map is damaged from ({x}, {y}) on"
    return _explain_square(maze, pose, (x, y), wanted=row[x : x + 1] or BLANK, drawn=drawn[x : x + 1] or BLANK)


def _explain_square(maze: Maze, pose: Pose, place: tuple[int, int], *, wanted: str, drawn: str) -> str:
    at = f"({place[0]}, {place[1]})"
    if place == (pose.x, pose.y):
        return f"the solver stands at {at} facing {pose.facing}, so {wanted!r} is drawn there; you draw {drawn!r}"
    if wanted == LEFT_BEHIND and drawn == START:
        return f"S at {at} was left behind, so it is drawn '.'; S itself is never drawn"
    if wanted == LEFT_BEHIND:
        return f"the solver has been at {at} and left it, so '.' is drawn there; you draw {drawn!r}"
    if place == maze.end:
        return f"E at {at} stays drawn to the end; you draw {drawn!r}"
    if drawn == END:
        return f"at {at} the map has {wanted!r}; you draw E there"
    if drawn in _ARROWS:
        return f"the solver is at ({pose.x}, {pose.y}), but an arrow {drawn!r} is drawn at {at}"
    if drawn == LEFT_BEHIND:
        return f"the solver hasn't been at {at} yet, so {wanted!r} stays there; you draw '.'"
    return f"at {at} the map has {wanted!r}; you draw {drawn!r}"
