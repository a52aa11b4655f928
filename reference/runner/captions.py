"""The reason of each frame: what the pseudocode gives on a map, and what a student's function gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.runner.board import NOTHING, Board, Move, is_number, stepped, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.runner.trace import Search


def reason(found: Search) -> str:
    """Say why the pseudocode gives its move."""
    if found.path:
        row, column = found.path[-1]
        return f"{told(found.move)} leads to the food in row {row}, column {column}, {len(found.path) - 1} away"
    if found.head is None:
        return f"no head on the map, so {told(found.move)}"
    if found.move == NOTHING:
        return f"no way is free, so {told(found.move)}"
    return f"no food in reach, so the first free way: {told(found.move)}"


def yours(boards: Sequence[Board], claim: Sequence[Any], before: Sequence[str], runner_id: int) -> tuple[str, ...]:
    """Say what a student's function gave; as long as it is right, the reason is the pseudocode's."""
    said = (*claim, None)[: len(boards)]
    return tuple(
        before[number] if number < len(before) else f"map {number}: {_gave(board, value, runner_id)}"
        for number, (board, value) in enumerate(zip(boards, said, strict=True))
    )


def _gave(board: Board, value: Any, runner_id: int) -> str:
    if value is None:
        return "no move came back"
    head = board.head(runner_id)
    if head is None or not _is_way(value):
        return f"yours gave {told(value)}"
    is_free = board.is_passable(stepped(head, Move(int(value))))
    return f"yours gave {told(value)}" + ("" if is_free else ", where the way is closed")


def _is_way(value: Any) -> bool:
    return is_number(value) and value in tuple(Move)
