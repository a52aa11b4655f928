"""The homework's demoMap files read as a sequence of maps.

`0.txt` starts with `[runner_id, size_m, size_n, number_of_files, answer]`, the others with their answer; then comes
one list per row. As one text they stand one after the other, in order.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from grader.model.kit import PuzzleError
from reference.runner.board import Board, told
from reference.runner.maps import Line, Maps, checked_board, split_lines
from reference.runner.search import best_move

if TYPE_CHECKING:
    from pathlib import Path


def is_demo(text: str) -> bool:
    return text.lstrip("\ufeff \t\r\n").startswith("[")


def load_demo(folder: Path) -> Maps:
    """Read a demoMap folder: `0.txt`, `1.txt`, … as far as they go."""
    texts: list[str] = []
    while (path := folder / f"{len(texts)}.txt").is_file():
        texts.append(path.read_text(encoding="utf-8-sig"))
    return parse_demo("\n".join(texts))


def parse_demo(text: str) -> Maps:
    """Read the files as one text; answers that the pseudocode doesn't give are refused."""
    lines = [line for line in split_lines(text.lstrip("\ufeff")) if line.text.strip()]
    if not lines:
        raise PuzzleError("there is no map", hint="0.txt starts with [runner_id, size_m, size_n, files, answer]")
    header = _literal(lines[0])
    if not _is_header(header):
        raise PuzzleError("the first line must be [runner_id, size_m, size_n, number_of_files, answer]")
    runner_id, rows, columns, files, answer = header
    boards = []
    for begin in range(0, len(lines), rows + 1):
        first, *block = lines[begin : begin + rows + 1]
        answer = answer if begin == 0 else _answer(first)
        board = _board(block, (rows, columns), first, runner_id)
        _refuse_wrong(board, runner_id, answer, first)
        boards.append(board)
    if len(boards) not in (files, files + 1):
        raise PuzzleError(f"the first line speaks of {files} files, {len(boards)} are here")
    return Maps(runner_id=runner_id, boards=tuple(boards))


def _is_header(header: Any) -> bool:
    return (
        isinstance(header, list)
        and len(header) == 5
        and all(type(number) is int for number in header)
        and min(header[:3]) > 0
    )


def _literal(line: Line) -> Any:
    try:
        return json.loads(line.text)
    except (ValueError, RecursionError):
        raise PuzzleError(f"{line.text[:40]!r} is no list of numbers", line=line.number) from None


def _answer(line: Line) -> int:
    value = _literal(line)
    number = value[0] if isinstance(value, list) and len(value) == 1 else value
    if type(number) is not int:
        raise PuzzleError(f"an answer must stand here, not {line.text[:40]!r}", line=line.number)
    return number


def _board(block: list[Line], size: tuple[int, int], first: Line, runner_id: int) -> Board:
    rows = [_literal(line) for line in block]
    if len(rows) != size[0]:
        raise PuzzleError(f"the map that begins here has {len(rows)} rows, not {size[0]}", line=first.number)
    for row, line in zip(rows, block, strict=True):
        if not isinstance(row, list) or len(row) != size[1] or any(type(cell) is not int for cell in row):
            raise PuzzleError(f"a row is a list of {size[1]} whole numbers", line=line.number)
    return checked_board(rows, block, runner_id)


def _refuse_wrong(board: Board, runner_id: int, answer: int, line: Line) -> None:
    move = best_move(board, runner_id)
    if move != answer:
        raise PuzzleError(
            f"the file says {told(answer)} for this map, the pseudocode gives {told(move)}", line=line.number
        )
