"""The homework's pseudocode, line by line: slow, obvious, for teaching.

Each block below stands under the line of the pseudocode that it transcribes. `search` gives the same moves quickly;
a test holds the two together.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ADJACENT = ((-1, 0), (0, 1), (1, 0), (0, -1))
Point = tuple[int, int]


def move_algo(maze: Sequence[int], runner_id: int, size_m: int, size_n: int) -> int:
    """Give the move of the literal pseudocode."""
    # Set MAP to be the 2D array of the field
    field = [list(maze[i * size_n : (i + 1) * size_n]) for i in range(size_m)]
    points = [(i, j) for i in range(size_m) for j in range(size_n)]
    # Set (x,y) to be your head position; if your head does not exist return -1
    heads = [(i, j) for (i, j) in points if field[i][j] == 2 * runner_id]
    if not heads:
        return -1
    head = heads[0]
    # calculate heuristic_dist(i,j) to be the Manhattan distance from (i,j) to the nearest food
    foods = [(i, j) for (i, j) in points if field[i][j] == -1]
    heuristic_dist = {(i, j): min((abs(i - a) + abs(j - b) for a, b in foods), default=inf) for (i, j) in points}

    def is_able_to_go(point: Point) -> bool:
        return point in heuristic_dist and field[point[0]][point[1]] in (0, -1)

    # Initialize minimum_cost with zero, is_visited with False, prev_point
    minimum_cost = dict.fromkeys(points, 0)
    is_visited = dict.fromkeys(points, False)
    prev_point: dict[Point, Point] = {}
    # Put only (x,y) in OPEN
    waiting = {head}
    recorded = None
    while waiting:
        # Take the point with the lowest cost + heuristic; ties by X, then by Y
        p = min(waiting, key=lambda point: (minimum_cost[point] + heuristic_dist[point], point))
        # if P is food: record P, break
        if field[p[0]][p[1]] == -1:
            recorded = p
            break
        is_visited[p] = True
        waiting.remove(p)
        for a, b in ADJACENT:
            q = (p[0] + a, p[1] + b)
            # if Q is able to go and ( Q is not visited or minimum_cost(P) + 1 is smaller than minimum_cost(Q) )
            if is_able_to_go(q) and (not is_visited[q] or minimum_cost[p] + 1 < minimum_cost[q]):
                waiting.add(q)
                minimum_cost[q] = minimum_cost[p] + 1
                prev_point[q] = p
    if recorded is None:
        # if there is no way to go return -1; else the first feasible direction, in the order 0,1,2,3
        ways = (way for way, (a, b) in enumerate(ADJACENT) if is_able_to_go((head[0] + a, head[1] + b)))
        return next(ways, -1)
    # Trace prev_point with recorded P to find the first direction
    while prev_point[recorded] != head:
        recorded = prev_point[recorded]
    return ADJACENT.index((recorded[0] - head[0], recorded[1] - head[1]))
