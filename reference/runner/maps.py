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
from reference.runner.board import Board
from reference.runner.numbers import Line, read_board, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNNER = re.compile(r"\s*runner\s+(\d{1,9})\s*")


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
