"""Lines of numbers read with their places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from grader.model.kit import PuzzleError
from reference.runner.board import FOOD, Board

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\S+")
_INTEGER = re.compile(r"[+-]?\d{1,9}")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a text, counted from 1."""

    number: int
    text: str


def split_lines(text: str) -> list[Line]:
    return [Line(number=number, text=line.rstrip()) for number, line in enumerate(text.split("\n"), start=1)]


def read_integers(line: Line, *, start: int = 0) -> list[int]:
    """Read the integers of a line, which blanks separate."""
    return [read_integer(line, word.group(), word.start()) for word in _WORD.finditer(line.text, start)]


def read_integer(line: Line, word: str, offset: int) -> int:
    if not _INTEGER.fullmatch(word):
        raise PuzzleError(f"{word!r} is no whole number", line=line.number, column=offset + 1)
    return int(word)


def read_board(lines: Sequence[Line], runner_id: int) -> Board:
    """Read a board from its rows."""
    rows = [_checked(line, read_integers(line)) for line in lines]
    return checked_board(rows, lines, runner_id)


def checked_board(rows: list[list[int]], lines: Sequence[Line], runner_id: int) -> Board:
    """Build a board of rows that are equally long and hold at most one head of the runner."""
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(rows[0]):
            raise PuzzleError(
                f"this row has {len(row)} numbers, the board's first has {len(rows[0])}", line=line.number, column=1
            )
    board = Board.of(rows)
    if board.cells.count(2 * runner_id) > 1:
        last = max(number for number, row in enumerate(rows) if 2 * runner_id in row)
        raise PuzzleError(
            f"the board has a second head {2 * runner_id} of runner {runner_id}", line=lines[last].number, column=1
        )
    return board


def _checked(line: Line, row: list[int]) -> list[int]:
    for cell in row:
        if cell < FOOD:
            column = line.text.index(str(cell)) + 1
            raise PuzzleError(f"{cell} is no square: -1 is food, 0 free", line=line.number, column=column)
    return row
