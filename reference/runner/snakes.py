"""Snakes found on a board, each from head to tail."""

from __future__ import annotations

import msgspec

from grader.model.kit import PuzzleError
from reference.runner.board import Board, Move, Place, stepped


class Snake(msgspec.Struct, frozen=True, kw_only=True):
    """The runner or a wall; the first cell is its head."""

    id: int
    cells: tuple[Place, ...]
    moves: tuple[int, ...] = ()
    """A wall's scripted moves, repeated without end."""
    seed: int | None = None


def snakes_of(board: Board, orders: dict[int, tuple[Place, ...]], *, line: int) -> list[Snake]:
    """Find every snake; `orders` settles what the board leaves open."""
    ids = sorted({(cell + 1) // 2 for cell in board.cells if cell > 0})
    for number in orders:
        if number not in ids:
            raise PuzzleError(f"there is no snake {number} on the board", line=line)
    return [Snake(id=number, cells=_settled(board, number, orders.get(number), line)) for number in ids]


def order_of(board: Board, number: int) -> tuple[Place, ...] | None:
    """Follow a snake from its head to its tail; None where the board leaves that open or breaks off."""
    heads = _places(board, 2 * number)
    rest = _places(board, 2 * number - 1)
    if len(heads) != 1:
        return None
    cells = list(heads)
    while rest:
        beside = [place for place in (stepped(cells[-1], move) for move in Move) if place in rest]
        if len(beside) != 1:
            return None
        cells.append(beside[0])
        rest.discard(beside[0])
    return tuple(cells)


def _settled(board: Board, number: int, given: tuple[Place, ...] | None, line: int) -> tuple[Place, ...]:
    found = order_of(board, number) if given is None else given
    body = _places(board, 2 * number - 1)
    if len(_places(board, 2 * number)) != 1:
        raise PuzzleError(f"snake {number} needs exactly one head {2 * number}", line=line)
    if found is None:
        raise PuzzleError(
            f"the board leaves open in which order the squares {2 * number - 1} of snake {number} lie",
            line=line,
            hint=f"add a line such as 'snake {number}: 0,0 0,1 1,1', from head to tail",
        )
    if found[0] not in _places(board, 2 * number) or set(found[1:]) != body or len(found) != len(body) + 1:
        raise PuzzleError(f"the line 'snake {number}:' doesn't name its squares on the board, head first", line=line)
    return found


def _places(board: Board, cell: int) -> set[Place]:
    return {board.place(index) for index, value in enumerate(board.cells) if value == cell}
