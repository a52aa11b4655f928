"""The pseudocode's search with one thing changed, as students change it by mistake."""

from __future__ import annotations

from functools import lru_cache, partial
from heapq import heappop, heappush
from math import dist, inf
from typing import TYPE_CHECKING, Any

from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, Place, stepped
from reference.runner.search import nearest_food
from reference.runner.trace import Suspect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@lru_cache(maxsize=1 << 15)
def mistaken_move(board: Board, runner_id: int, suspect: Suspect) -> int:
    """Give the move of the mistaken search."""
    if suspect.beeline:
        return _beeline(board, runner_id, suspect.beeline)
    return _Search(_reshaped(board, suspect.shape), runner_id, suspect).move()


def _reshaped(board: Board, shape: str) -> Board:
    if shape == "sizes":
        return Board(rows=board.columns, columns=board.rows, cells=board.cells)
    if shape == "turned":
        rows = [[board.at((row, column)) for row in range(board.rows)] for column in range(board.columns)]
        return Board.of(rows)
    return board


def _beeline(board: Board, runner_id: int, order: str) -> int:
    head = board.head(runner_id)
    if head is None:
        return NOTHING
    foods = [board.place(index) for index, cell in enumerate(board.cells) if cell == FOOD]
    if not foods:
        return _Search(board, runner_id, Suspect(words="")).fallback()
    row, column = min(foods, key=partial(_manhattan, head))
    ways = {"0": row < head[0], "1": column > head[1], "2": row > head[0], "3": column < head[1]}
    return int(next(move for move in order if ways[move]))


class _Search:
    def __init__(self, board: Board, runner_id: int, suspect: Suspect) -> None:
        self.board = board
        self.suspect = suspect
        self.passable = _passable(suspect.passes, runner_id)
        cell = suspect.head * runner_id - suspect.head_less
        found = [index for index, number in enumerate(board.cells) if number == cell]
        self.origin = found[-1 if suspect.takes_last else 0] if found else None
        self.previous: dict[int, int] = {}
        self.seen: dict[int, int] = {}

    def move(self) -> int:
        if self.origin is None:
            return NOTHING
        found = self.food()
        if found is None:
            return self.fallback()
        path = [found]
        while path[-1] != self.origin:
            path.append(self.previous[path[-1]])
        path.reverse()
        here, there = {"first": path[:2], "last": path[-2:], "back": path[1::-1]}[self.suspect.step]
        move = next(move for move, beside in enumerate(self.besides(here)) if beside == there)
        return self.suspect.table.index(self.suspect.steps[move])

    def fallback(self) -> int:
        besides = list(self.besides(self.origin or 0))
        ways = [number for number, move in enumerate(self.suspect.table) if self.is_open(besides[int(move)])]
        up = [int(Move.UP)]
        kept = {
            "last": ways[::-1],
            "none": [],
            "always": up,
            "up": ways or up,
            "bare": ways if FOOD in self.board.cells else [],
            "1230": sorted(ways, key=lambda way: (way - 1) % 4),
        }.get(self.suspect.fallback, ways)
        return kept[0] if kept else NOTHING

    def food(self) -> int | None:
        """Search; give the food that is taken."""
        board, suspect, origin = self.board, self.suspect, self.origin or 0
        heuristic = _heuristic(board, suspect.distance)
        cost = {origin: 0}
        visited: set[int] = set()
        waiting: dict[int, tuple[Any, ...]] = {origin: ()}
        heap: list[tuple[tuple[Any, ...], int]] = [((), origin)]
        pushed = 0
        last = None
        while heap:
            key, point = heappop(heap)
            if waiting.get(point) != key and (suspect.renews != "stale" or point in visited):
                continue
            if board.cells[point] == FOOD:
                if not suspect.goes_on:
                    return point
                last = point
            visited.add(point)
            waiting.pop(point, None)
            for beside in self.besides(point):
                if beside is None or not self.is_open(beside) or beside == origin:
                    continue
                if not self.is_renewed(cost[point] + 1, cost.get(beside, inf), is_visited=beside in visited):
                    continue
                pushed += 1
                cost[beside], self.previous[beside] = cost[point] + 1, point
                if suspect.stops_early and board.cells[beside] == FOOD:
                    if suspect.stops_early == "first":
                        return beside
                    last = beside
                estimate = heuristic[beside] + (0 if suspect.is_greedy else cost[beside])
                waiting[beside] = (estimate, *self.tie(beside, heuristic[beside], pushed))
                heappush(heap, (waiting[beside], beside))
            if suspect.stops_early and last is not None:
                return last
        return last

    def is_renewed(self, cost: int, known: float, *, is_visited: bool) -> bool:
        match self.suspect.renews:
            case "cheaper":
                return cost < known
            case "never":
                return known == inf
            case "equal":
                return not is_visited or cost <= known
        return not is_visited or cost < known

    def tie(self, index: int, distance: float, pushed: int) -> tuple[float, ...]:
        row, column = self.board.place(index)
        match self.suspect.tie:
            case "column":
                return column, row
            case "last":
                return -row, -column
            case "near":
                return distance, row, column
            case "oldest":
                return (pushed,)
            case "newest":
                return (-pushed,)
            case "seen":
                return (self.seen.setdefault(index, pushed),)
        return row, column

    def besides(self, index: int) -> Iterator[int | None]:
        """Give the points beside one in the order of the moves; None off the board."""
        place, columns = self.board.place(index), self.board.columns
        for move in Move:
            there = stepped(place, move)
            number = there[0] * columns + there[1]
            runs_on = self.suspect.shape == "run on" and 0 <= number < len(self.board.cells)
            yield number if runs_on or self.board.has(there) else None

    def is_open(self, index: int | None) -> bool:
        return index is not None and self.passable(self.board.cells[index])


def _passable(passes: str, runner_id: int) -> Callable[[int], bool]:
    match passes:
        case "free":
            return lambda cell: cell == FREE
        case "bodies":
            return lambda cell: cell in (FREE, FOOD) or cell % 2 == 1
        case "others":
            return lambda cell: cell in (FREE, FOOD) or (cell % 2 == 1 and cell != 2 * runner_id - 1)
        case "strange":
            return lambda cell: cell not in (2 * runner_id, 2 * runner_id - 1)
        case "heads":
            return lambda cell: cell in (FREE, FOOD) or (cell % 2 == 0 and cell != 2 * runner_id)
        case "own":
            return lambda cell: cell in (FREE, FOOD, 2 * runner_id - 1)
        case "all":
            return lambda cell: cell != 2 * runner_id
    return lambda cell: cell in (FREE, FOOD)


def _heuristic(board: Board, distance: str) -> list[float]:
    if distance == "nearest":
        return nearest_food(board)
    places = [board.place(index) for index in range(len(board.cells))]
    foods = [place for place in places if board.at(place) == FOOD]
    if not foods or distance == "none":
        return [0.0] * len(places)
    if distance in {"first", "last"}:
        foods = foods[:1] if distance == "first" else foods[-1:]
    measure = {"straight": dist, "king": _king, "squared": _squared}.get(distance, _manhattan)
    best = max if distance == "farthest" else min
    return [best(measure(place, food) for food in foods) for place in places]


def _manhattan(place: Place, food: Place) -> float:
    return abs(place[0] - food[0]) + abs(place[1] - food[1])


def _squared(place: Place, food: Place) -> float:
    return _manhattan(place, food) ** 2


def _king(place: Place, food: Place) -> float:
    return max(abs(place[0] - food[0]), abs(place[1] - food[1]))
