"""Row 7: how the kits grow, and the runner's search against the literal pseudocode."""

from __future__ import annotations

import random
from time import process_time
from typing import TYPE_CHECKING

from bench.clock import exponent, medians
from bench.row import Row, at_most, plain
from reference.alice.puzzle import Arrow, Colour, Maze, Square, StartColour
from reference.alice.solve import solve
from reference.runner.board import Board
from reference.runner.pseudocode import move_algo
from reference.runner.search import best_move

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIDE = 100


def measure(*, quick: bool) -> Iterator[Row]:
    yield from _alice(quick=quick)
    yield _runner(quick=quick)


def _alice(*, quick: bool) -> Iterator[Row]:
    sides = (50, 100, 200) if quick else (100, 200, 400, 1000)
    mazes = [_maze(side) for side in sides]
    times = [min(_worked_s(maze) for _ in range(3)) for maze in mazes]
    shown = ", ".join(f"{side}²: {time * 1e3:.0f} ms" for side, time in zip(sides, times, strict=True))
    yield Row(
        number="7a",
        what="Alice's reference: exponent of its time over the number of squares",
        instead="(one value, no command)",
        score=at_most(exponent([side * side for side in sides], times), 1.05),
        detail=shown,
    )
    if not quick:
        yield Row(
            number="7c",
            what="Alice's reference on 1000 × 1000 squares, seconds of processor time",
            instead="(one value, no command)",
            score=at_most(times[-1], 1.0),
        )


def _worked_s(maze: Maze) -> float:
    begun = process_time()
    solve(maze, StartColour.IGNORED)
    return process_time() - begun


def _maze(side: int) -> Maze:
    """Make a solvable maze with arrows everywhere, half of it coloured."""
    dice = random.Random(side)
    colours = (Colour.BLACK, Colour.BLACK, Colour.RED, Colour.YELLOW)
    kinds = [
        Square(colour=colour, arrows=tuple(dice.sample(tuple(Arrow), count)))
        for colour in colours
        for count in (2, 3, 4)
        for _ in range(6)
    ]
    while True:
        squares = tuple(dice.choices(kinds, k=side * side))
        maze = Maze(rows=side, columns=side, start=(0, 0), goal=(side - 1, side - 1), squares=squares)
        if solve(maze, StartColour.IGNORED).steps > 0:
            return maze


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
