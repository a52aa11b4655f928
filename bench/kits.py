"""Row 7: how the kits grow, and the runner's search against the literal pseudocode."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from bench.clock import medians
from bench.row import Row, plain
from reference.runner.board import Board
from reference.runner.pseudocode import move_algo
from reference.runner.search import best_move

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIDE = 100


def measure(*, quick: bool) -> Iterator[Row]:
    yield _runner(quick=quick)


def _runner(*, quick: bool) -> Row:
    cells = _board()
    board = Board(rows=_SIDE, columns=_SIDE, cells=tuple(cells))
    ours, literal = medians(
        lambda: best_move(board, 1), lambda: move_algo(cells, 1, _SIDE, _SIDE), rounds=3 if quick else 7
    )
    assert best_move(board, 1) == move_algo(cells, 1, _SIDE, _SIDE)
    return Row(
        number="7b",
        what=f"runner's reference on a {_SIDE}×{_SIDE} board",
        instead="the pseudocode, transcribed line by line",
        score=plain(ours / literal),
        detail=f"{ours * 1e3:.1f} ms ÷ {literal * 1e3:.1f} ms",
    )


def _board() -> list[int]:
    """Make a board on which the search must look nearly everywhere: one food, far away, behind scattered bodies."""
    dice = random.Random(7)
    cells = [3 if dice.random() < 0.25 else 0 for _ in range(_SIDE * _SIDE)]
    cells[0], cells[-1] = 2, -1
    return cells
