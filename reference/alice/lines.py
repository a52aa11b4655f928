"""Lines of a maze file, and faults with their place in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.model.kit import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference.alice.puzzle import Place, Square

LARGEST = 2000
"""Rows or columns; more is surely a slip of the keyboard."""


def split_lines(text: str) -> list[str]:
    """Give the lines without their ends; empty ones at the end of the file don't count."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def line_at(lines: Sequence[str], number: int, what: str) -> str:
    """Give the line of that number, from 1."""
    if number > len(lines):
        raise PuzzleError(f"the file ends before {what}", line=max(len(lines), 1))
    return lines[number - 1]


def read_size(text: str, line: int, what: str) -> int:
    """Read a number of rows or columns."""
    word = text.strip()
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise PuzzleError(f"expected {what}, found {word!r}", line=line, hint="it is a whole number, such as 3")
    if not 1 <= int(word) <= LARGEST:
        raise PuzzleError(f"{what} is {word}; it can be 1 to {LARGEST}", line=line)
    return int(word)


def check_inside(place: Place, size: tuple[int, int], line: int, what: str) -> Place:
    """Refuse a start or goal outside the grid."""
    if not (place[0] < size[0] and place[1] < size[1]):
        rows, columns = size
        grid = f"{rows} rows and {columns} columns"
        raise PuzzleError(
            f"the {what} {place} lies outside the grid of {grid}", line=line, hint="places count from 0"
        )
    return place


def check_row_count(lines: Sequence[str], first: int, rows: int) -> None:
    """Refuse too few or too many rows; `first` is the line of the first one."""
    found = len(lines) - first + 1
    if found < rows:
        raise PuzzleError(f"expected {rows} rows of squares, found {max(found, 0)}", line=max(len(lines), 1))
    if found > rows:
        raise PuzzleError(f"expected {rows} rows of squares, found {found}", line=first + rows)


def read_arrows(words: Sequence[str], names: Sequence[str]) -> tuple[int, ...]:
    """Give the position of each word among the names; refuse unknown and repeated ones."""
    positions: list[int] = []
    for word in words:
        if word not in names:
            hint = f"directions here are {' '.join(names)}"
            raise PuzzleError(f"unknown direction {word!r}", hint=hint)
        position = names.index(word)
        if position in positions:
            raise PuzzleError(f"direction {word!r} stands twice in one square")
        positions.append(position)
    return tuple(positions)


class Cells:
    """Reads rows of squares that blanks separate, each kind of square only once; each place is looked at."""

    def __init__(
        self, columns: int, read_square: Callable[[str], Square], look: Callable[[str, Place], None]
    ) -> None:
        self.columns = columns
        self.read_square = read_square
        self.look = look
        self.known: dict[str, Square] = {}

    def read(self, text: str, row: int, line: int, *, hint: str = "") -> list[Square]:
        cells = text.split()
        if len(cells) != self.columns:
            found = f"expected {self.columns} squares in this row, found {len(cells)}"
            raise PuzzleError(found, line=line, hint=hint)
        for column, cell in enumerate(cells):
            try:
                if cell not in self.known:
                    self.known[cell] = self.read_square(cell)
                self.look(cell, (row, column))
            except PuzzleError as fault:
                begun = [match.start() for match in re.finditer(r"\S+", text)][column]
                fault.line, fault.column = line, begun + 1
                raise
        return [self.known[cell] for cell in cells]
