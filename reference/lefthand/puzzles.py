"""Tree mazes for Hypothesis: they shrink square by square."""

from __future__ import annotations

from bisect import bisect
from contextlib import suppress
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from grader.model.kit import PuzzleError
from reference.lefthand.maze import BLANK, END, START, Facing, Maze
from reference.lefthand.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypothesis.strategies import SearchStrategy

Place = tuple[int, int]
_MOST_SQUARES = 40
_LONG, _LONGEST = 510, 600
"""Squares of a dead end: more than a thousand moves, where a recursive solution ends."""
_FACINGS = tuple(Facing)
_BACK = (0,) * 32 + (1, 2, 3, 4, 5, 6, 9, 14) * 4
"""How far back a step's parent lies; mostly it goes on where it is."""


def puzzles() -> SearchStrategy[Maze]:
    """Generate mazes without loops: E beside S first, then corridors, dead ends, ragged, shifted and cut ones."""
    return st.builds(
        _plant,
        st.integers(1, _MOST_SQUARES).flatmap(lambda size: st.binary(min_size=size, max_size=size)),
        end=st.one_of(st.just(0), st.integers(0, _MOST_SQUARES)),
        margin=st.sampled_from(((0, 0), (1, 0), (0, 1), (2, 1))),
        layout=st.sampled_from(("ragged", "padded", "windows", "cut")),
    )


def long_puzzles() -> SearchStrategy[Maze]:
    """Generate mazes of more than a thousand moves."""
    return st.builds(_corridor, st.integers(_LONG, _LONGEST))


def _corridor(length: int) -> Maze:
    """Give a dead end that must be walked to its end and back: a long walk whose drawings stay small."""
    return parse("#" * length + "SE\n")


def _plant(steps: bytes, end: int, margin: Place, layout: str) -> Maze:
    """Grow a tree from S: each byte names how far back a step's parent lies and the way it goes.

    One draw of bytes is many times as quick as a draw per step.
    """
    grown: list[Place] = [(0, 0)]
    for byte in steps:
        x, y = grown[-1 - _BACK[byte >> 2] % len(grown)]
        step_x, step_y = _FACINGS[byte & 3].step
        place = (x + step_x, y + step_y)
        if place not in grown and sum(beside in grown for beside in _beside(place)) == 1:
            grown.append(place)
    goal = grown[-1 - end % (len(grown) - 1)]
    return _lay_out(dict.fromkeys(grown, "#") | {(0, 0): START, goal: END}, margin, layout)


def _lay_out(marks: dict[Place, str], margin: Place, layout: str) -> Maze:
    """Shift the squares to the top left, leave a margin of blanks, and read the map as any other."""
    left = min(x for x, _ in marks) - margin[0]
    top = min(y for _, y in marks) - margin[1]
    width = max(x for x, _ in marks) - left + 1
    height = max(y for _, y in marks) - top + 1
    rows = ["".join(marks.get((x + left, y + top), BLANK) for x in range(width)) for y in range(height)]
    newline = "\r\n" if layout == "windows" else "\n"
    text = "".join((row if layout == "padded" else row.rstrip()) + newline for row in rows)
    return parse(text.removesuffix("\n") if layout == "cut" else text)


def smaller(maze: Maze) -> Iterator[Maze]:
    """Give every maze with one row, column, walkway or empty edge less."""
    marks = {(x, y): mark for y, row in enumerate(maze.rows) for x, mark in enumerate(row) if mark != BLANK}
    margin = (min(x for x, _ in marks), min(y for _, y in marks))
    layout = "windows" if maze.newline == "\r\n" else "ragged" if maze.final_newline else "cut"
    for cut in {frozenset(cut.items()): cut for cut in _cuts(marks)}.values():
        with suppress(PuzzleError):  # what is left may be torn, or closed to a loop
            yield _lay_out(cut, margin, layout)
    for place, mark in marks.items():
        beside = [other for other in _beside(place) if other in marks]
        if len(beside) == 1:
            rest = {other: marks[other] for other in marks if other != place}
            if mark == "#":
                yield _lay_out(rest, margin, layout)
            elif marks[beside[0]] == "#":
                yield _lay_out(rest | {beside[0]: mark}, margin, layout)
    for less in {(0, margin[1]), (margin[0], 0)} - {margin}:
        yield _lay_out(marks, less, layout)
    if layout != "ragged":
        yield _lay_out(marks, margin, "ragged")


def _cuts(marks: dict[Place, str]) -> Iterator[dict[Place, str]]:
    """Take out rows or columns that hold neither S nor E, many at first, and push the rest together."""
    kept = {place for place, mark in marks.items() if mark in (START, END)}
    for axis in (0, 1):
        lines = sorted({place[axis] for place in marks} - {place[axis] for place in kept})
        for out in _parts(lines):
            yield {
                (x - (axis == 0 and bisect(out, x)), y - (axis == 1 and bisect(out, y))): mark
                for (x, y), mark in marks.items()
                if (x, y)[axis] not in out
            }


def _parts(lines: list[int]) -> Iterator[list[int]]:
    """Give all lines, halves, quarters and so on, down to each alone."""
    size = 2 * len(lines)
    while size > 1:
        size = -(-size // 2)
        yield from (lines[begin : begin + size] for begin in range(0, len(lines), size))


def _beside(place: Place) -> list[Place]:
    return [(place[0] + facing.step[0], place[1] + facing.step[1]) for facing in _FACINGS]
