"""How a play ends for a program with a known mistake."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from reference.runner.search import best_move
from reference.runner.suspects import MOST_CELLS, NAMES, mistaken_answer
from reference.runner.world import World

if TYPE_CHECKING:
    from typing import Any

    from reference.runner.setup import Setup

Moves = tuple[tuple[int, int], ...]
"""Of each tick the move that a mistake makes, and the right one on the same board."""


@lru_cache(maxsize=4096)
def would_pass(puzzle: Setup, name: str) -> bool:
    """Tell whether a play with this mistake ends as the right one does; a play that is too large might."""
    played, right = (_outcome(puzzle, chosen) for chosen in (name, ""))
    return played is None or right is None or played == right


def plays(puzzle: Setup) -> dict[str, Moves]:
    """Return the play of every mistake; nothing where they are too large together."""
    found: dict[str, Moves] = {}
    cells_left = MOST_CELLS
    for name in NAMES:
        world = World(msgspec.to_builtins(puzzle))
        moves: list[tuple[int, int]] = []
        while not world.ending:
            board = world.board()
            cells_left -= len(board.cells)
            if cells_left < 0:
                return {}
            moves.append((mistaken_answer(board, puzzle.runner_id, name), best_move(board, puzzle.runner_id)))
            world.act(moves[-1][0])
        found[name] = tuple(moves)
    return found


def _outcome(puzzle: Setup, name: str) -> dict[str, Any] | None:
    world = World(msgspec.to_builtins(puzzle))
    cells_left = MOST_CELLS
    while not world.ending:
        board = world.board()
        cells_left -= len(board.cells)
        if cells_left < 0:
            return None
        runner_id = puzzle.runner_id
        world.act(mistaken_answer(board, runner_id, name) if name else best_move(board, runner_id))
    return world.outcome()
