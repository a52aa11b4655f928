"""The pseudocode's search made quick, with its trace."""

from __future__ import annotations

from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING

from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, Place, stepped
from reference.runner.trace import Overwriting, Search

if TYPE_CHECKING:
    from collections.abc import Iterator


def best_move(board: Board, runner_id: int) -> int:
    return search(board, runner_id).move


def search(board: Board, runner_id: int) -> Search:
    """Give the very move of the pseudocode.

    A heap stands for OPEN. Every change of a point's cost pushes it anew; an entry counts only while its point waits
    and still has that cost, so an entry with a cost that was overwritten, even by a larger one, is passed over.
    Indices grow row by row, so comparing them is comparing row, then column.
    """
    head = board.head(runner_id)
    if head is None:
        return Search(move=NOTHING)
    cells, heuristic = board.cells, nearest_food(board)
    origin = head[0] * board.columns + head[1]
    cost = [0] * len(cells)
    is_visited = [False] * len(cells)
    previous: dict[int, int] = {}
    overwritten: dict[Place, Overwriting] = {}
    taken: list[int] = []
    waiting = {origin}
    heap = [(heuristic[origin], origin)]
    recorded = None
    while heap:
        estimate, point = heappop(heap)
        if point not in waiting or estimate != cost[point] + heuristic[point]:
            continue
        taken.append(point)
        if cells[point] == FOOD:
            recorded = point
            break
        is_visited[point] = True
        waiting.remove(point)
        reached = cost[point] + 1
        for beside in adjacent(board, point):
            if cells[beside] not in (FREE, FOOD) or (is_visited[beside] and reached >= cost[beside]):
                continue
            if beside in waiting and reached >= cost[beside]:
                _note(board, overwritten, beside, first=previous[beside], last=point)
            waiting.add(beside)
            cost[beside] = reached
            previous[beside] = point
            heappush(heap, (reached + heuristic[beside], beside))
    path = _trace(board, previous, recorded)
    return Search(
        move=_first_move(path) if path else first_feasible(board, head),
        head=head,
        path=path,
        taken=tuple(map(board.place, taken)),
        overwritten=overwritten,
    )


def nearest_food(board: Board) -> list[float]:
    """Give each point's Manhattan distance to the nearest food, by one sweep down and one up."""
    width, cells = board.columns, board.cells
    distance: list[float] = [0 if cell == FOOD else inf for cell in cells]
    for index in range(len(cells)):
        above = distance[index - width] if index >= width else inf
        before = distance[index - 1] if index % width else inf
        distance[index] = min(distance[index], above + 1, before + 1)
    for index in reversed(range(len(cells))):
        below = distance[index + width] if index + width < len(cells) else inf
        after = distance[index + 1] if (index + 1) % width else inf
        distance[index] = min(distance[index], below + 1, after + 1)
    return distance


def adjacent(board: Board, index: int) -> Iterator[int]:
    """Give the points beside one, in the order of the moves 0, 1, 2, 3."""
    width = board.columns
    if index >= width:
        yield index - width
    if (index + 1) % width:
        yield index + 1
    if index + width < len(board.cells):
        yield index + width
    if index % width:
        yield index - 1


def first_feasible(board: Board, head: Place) -> int:
    """Give the first passable way in the order 0, 1, 2, 3; -1 when there is none."""
    return next((int(move) for move in Move if board.is_passable(stepped(head, move))), NOTHING)


def _note(board: Board, overwritten: dict[Place, Overwriting], beside: int, *, first: int, last: int) -> None:
    overwritten[board.place(beside)] = Overwriting(first=board.place(first), last=board.place(last))


def _trace(board: Board, previous: dict[int, int], recorded: int | None) -> tuple[Place, ...]:
    path: list[Place] = []
    point = recorded
    while point is not None:
        path.append(board.place(point))
        point = previous.get(point)
    return tuple(reversed(path))


def _first_move(path: tuple[Place, ...]) -> int:
    return next(int(move) for move in Move if stepped(path[0], move) == path[1])
