"""Searches that students write by mistake, to recognise their moves.

Each is the pseudocode with one thing changed. None of them decides a verdict; they only find the words for it.
"""

from __future__ import annotations

from heapq import heappop, heappush
from math import dist, inf
from typing import TYPE_CHECKING, Any

import msgspec

from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, Place, stepped
from reference.runner.search import adjacent, nearest_food

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST_CELLS = 20_000


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """One mistaken search, described for the student."""

    words: str
    overwrites: bool = True
    tie: str = "row"
    """`row`, `column`, `oldest` or `newest`."""
    distance: str = "nearest"
    """`nearest`, `first`, `last`, `straight` or `none`."""
    passes: str = ""
    """`bodies` or `all`: what else counts as passable."""
    is_transposed: bool = False
    """Takes size_m for the columns."""
    renamed: tuple[int, ...] = (0, 1, 2, 3)
    """What it returns for up, right, down, left."""


SUSPECTS = (
    Suspect(
        words="a textbook A*, which overwrites a waiting neighbour only by a smaller cost; the pseudocode also "
        "overwrites while the point is not visited",
        overwrites=False,
    ),
    Suspect(words="a search that breaks ties by column first; the pseudocode compares rows first", tie="column"),
    Suspect(words="a search that breaks ties by age (oldest first), not by row and column", tie="oldest"),
    Suspect(words="a search that breaks ties by age (newest first), not by row and column", tie="newest"),
    Suspect(words="a search whose heuristic looks only at the first food, not at the nearest", distance="first"),
    Suspect(words="a search whose heuristic looks only at the last food, not at the nearest", distance="last"),
    Suspect(words="a search whose heuristic is the straight-line distance, not Manhattan", distance="straight"),
    Suspect(words="a search without heuristic (breadth first)", distance="none"),
    Suspect(words="a search that walks through bodies; only 0 and -1 are passable", passes="bodies"),
    Suspect(words="a search that takes every square as passable; only 0 and -1 are", passes="all"),
    Suspect(words="a search that takes size_m for the columns; it is the number of rows", is_transposed=True),
    Suspect(words="a textbook A* with ties by age", overwrites=False, tie="oldest"),
    Suspect(words="the right search with 1 and 3 exchanged: 1 is right, 3 is left", renamed=(0, 3, 2, 1)),
    Suspect(words="the right search with 0 and 2 exchanged: 0 is up, 2 is down", renamed=(2, 1, 0, 3)),
)


def recognise(boards: Sequence[Board], runner_id: int, moves: Sequence[Any]) -> Suspect | None:
    """Find the mistaken search that gives all these moves; None for large or unlike ones."""
    pairs = list(zip(boards, moves, strict=False))
    if sum(len(board.cells) for board, _ in pairs) > _MOST_CELLS:
        return None
    for suspect in SUSPECTS:
        if all(mistaken_move(board, runner_id, suspect) == move for board, move in pairs):
            return suspect
    return None


def mistaken_move(board: Board, runner_id: int, suspect: Suspect) -> int:
    """Give the move of the mistaken search."""
    if suspect.is_transposed:
        board = Board(rows=board.columns, columns=board.rows, cells=board.cells)
    head = board.head(runner_id)
    if head is None:
        return NOTHING
    passable = _passable(suspect, runner_id)
    first = _first_step(board, head, suspect, passable)
    for move in Move:
        place = stepped(head, move)
        is_open = board.has(place) and passable(board.at(place))
        if place == first or (first is None and is_open):
            return suspect.renamed[move]
    return NOTHING


def _first_step(board: Board, head: Place, suspect: Suspect, passable: Callable[[int], bool]) -> Place | None:
    heuristic = _heuristic(board, suspect.distance)
    origin = head[0] * board.columns + head[1]
    cost = {origin: 0}
    previous: dict[int, int] = {}
    visited: set[int] = set()
    waiting: dict[int, tuple[Any, ...]] = {origin: (heuristic[origin], origin)}
    heap: list[tuple[tuple[Any, ...], int]] = [(waiting[origin], origin)]
    pushed = 0
    while heap:
        key, point = heappop(heap)
        if waiting.get(point) != key:
            continue
        if board.cells[point] == FOOD:
            while previous[point] != origin:
                point = previous[point]
            return board.place(point)
        visited.add(point)
        del waiting[point]
        for beside in adjacent(board, point):
            is_cheaper = cost[point] + 1 < cost.get(beside, inf)
            is_renewed = suspect.overwrites and beside not in visited
            if not passable(board.cells[beside]) or beside == origin or not (is_cheaper or is_renewed):
                continue
            pushed += 1
            cost[beside], previous[beside] = cost[point] + 1, point
            waiting[beside] = (cost[beside] + heuristic[beside], _tie(board, beside, suspect.tie, pushed), pushed)
            heappush(heap, (waiting[beside], beside))
    return None


def _tie(board: Board, index: int, tie: str, pushed: int) -> tuple[int, ...]:
    row, column = board.place(index)
    return {"row": (row, column), "column": (column, row), "oldest": (pushed,), "newest": (-pushed,)}[tie]


def _passable(suspect: Suspect, runner_id: int) -> Callable[[int], bool]:
    if suspect.passes == "bodies":
        return lambda cell: cell in (FREE, FOOD) or cell % 2 == 1
    if suspect.passes == "all":
        return lambda cell: cell != 2 * runner_id
    return lambda cell: cell in (FREE, FOOD)


def _heuristic(board: Board, distance: str) -> list[float]:
    if distance == "nearest":
        return nearest_food(board)
    places = [board.place(index) for index in range(len(board.cells))]
    foods = [place for place in places if board.at(place) == FOOD]
    if not foods or distance == "none":
        return [0.0] * len(places)
    if distance == "straight":
        return [min(dist(place, food) for food in foods) for place in places]
    target = foods[0] if distance == "first" else foods[-1]
    return [abs(place[0] - target[0]) + abs(place[1] - target[1]) for place in places]
