"""A sequence of maps: its value and its two text forms.

The plain form is the line `runner 1`, then boards with an empty line before each. The homework's own demoMap files,
one after the other, are read too (see demo).
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from grader.model.kit import PuzzleError
from reference.runner.board import FOOD, Board

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_WORD = re.compile(r"\S+")
_INTEGER = re.compile(r"[+-]?\d{1,9}")
_RUNNER = re.compile(r"\s*runner\s+(\d{1,9})\s*")


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


class Maps(msgspec.Struct, frozen=True, kw_only=True):
    """Boards that are asked one by one, each with one right move."""

    runner_id: int
    boards: tuple[Board, ...]


def parse(text: str) -> Maps:
    """Read `runner ID` and the boards below it."""
    lines = split_lines(text)
    begin = next((number for number, line in enumerate(lines) if line.text), 0)
    runner_id = read_runner(lines[begin])
    boards = tuple(read_board(block, runner_id) for block in blocks(lines[begin + 1 :]))
    if not boards:
        raise PuzzleError("no board follows", line=len(lines), hint="write its rows below, numbers apart by blanks")
    return Maps(runner_id=runner_id, boards=boards)


def write(maps: Maps) -> str:
    """Write the plain form."""
    boards = ("\n".join(board.lines()) for board in maps.boards)
    return "\n\n".join([f"runner {maps.runner_id}", *boards]) + "\n"


def read_runner(line: Line) -> int:
    """Read the line `runner ID`."""
    found = _RUNNER.fullmatch(line.text)
    if not found or int(found[1]) < 1:
        raise PuzzleError(
            f"the first line must be 'runner' and a positive id, not {line.text[:40]!r}",
            line=line.number,
            hint="for example: runner 1",
        )
    return int(found[1])


def blocks(lines: list[Line]) -> Iterator[list[Line]]:
    """Give the stretches between empty lines."""
    for is_filled, group in groupby(lines, key=lambda line: bool(line.text)):
        if is_filled:
            yield list(group)
