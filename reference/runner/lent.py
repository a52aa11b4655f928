"""What the explanations ask the withheld searches about a board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.runner import mistaken, search
from reference.runner.suspects import SUSPECTS, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from reference.runner.board import Board


def calls(boards: Iterable[Board], runner_id: int) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """Name the right search on each board, and every mistaken one."""
    for board in boards:
        yield search.best_move, (board, runner_id)
        yield search.search, (board, runner_id)
        yield search.nearest_food, (board,)
        yield from ((mistaken.mistaken_move, (board, runner_id, suspect)) for suspect in (*SUSPECTS, *TABLES))
