"""Why the pseudocode moves as it does, in its own terms: the square, and f = g + h."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from reference.runner.board import FOOD, FREE, NOTHING, Board, Move, Place, is_number, stepped, told
from reference.runner.search import nearest_food, search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.runner.trace import Overwriting, Search

MOST_TAKEN = 6
"""Squares of the search that a message lists."""
LEGEND = (
    " Squares are (row, column), counted from 0 at the top left; f = g + h is the cost plus the distance to food."
)


def explain(board: Board, runner_id: int, value: Any, named: str) -> str:
    """Explain a wrong move in whole sentences: the reason, the mistake if it is known, how squares are written."""
    reason = compare(board, runner_id, value)
    meaning = "; f = g + h is the cost so far plus the distance to the nearest food" if " f " in reason else ""
    legend = f"Squares are (row, column), counted from 0 at the top left{meaning}."
    return " ".join(filter(None, [f"{reason}.", f"{named}." if named else "", legend]))


def compare(board: Board, runner_id: int, value: Any) -> str:
    """Set a student's wrong move beside the pseudocode's, with the reason."""
    found = search(board, runner_id)
    if not is_move(value):
        return f"{no_move(found, value)}; the pseudocode gives {told(found.move)}"
    verb = "returned" if value == NOTHING else "moved"
    yours = f"you {verb} {told(value)}{_hit(board, found, int(value))}"
    return f"{yours}, the pseudocode gives {told(found.move)}: {_Why(board, runner_id, found, value)}"


def is_move(value: Any) -> bool:
    return is_number(value) and value in (NOTHING, *Move)


def no_move(found: Search, value: Any) -> str:
    """Say what a value is that is no move."""
    text = f"you returned {told(value)}, which is no move (0, 1, 2, 3 or -1)"
    if value is None:
        return f"{text}: the function ended without return"
    if isinstance(value, str):
        return f"{text} but text: return a number"
    if isinstance(value, list | tuple) and len(value) == 2:
        is_square = found.head is not None and any(tuple(value) == stepped(found.head, move) for move in Move)
        return f"{text} but {'the square to go to' if is_square else 'a pair'}: return the number of the direction"
    return text


def _hit(board: Board, found: Search, value: int) -> str:
    if found.head is None or value == NOTHING:
        return ""
    place = stepped(found.head, Move(value))
    if not board.has(place):
        return f" from {at(found.head)} off the map"
    return "" if board.is_passable(place) else f" onto the {board.at(place)} at {at(place)}, which is closed"


class _Step(msgspec.Struct, frozen=True, kw_only=True):
    """A point as it was taken from OPEN."""

    place: Place
    parent: Place
    cost: int


def _replayed(board: Board, found: Search) -> Iterator[_Step]:
    """Go through the search again, by the order in which it took its points."""
    visited: set[Place] = set()
    known: dict[Place, tuple[Place, int]] = {}
    for place in found.taken:
        parent, cost = known.get(place, (place, 0))
        visited.add(place)
        yield _Step(place=place, parent=parent, cost=cost)
        for move in Move:
            beside = stepped(place, move)
            if board.is_passable(beside) and (beside not in visited or cost + 1 < known[beside][1]):
                known[beside] = (place, cost + 1)


def decisive_step(board: Board, runner_id: int, value: Any) -> int | None:
    """Count the points that the search has taken when it decides against a student's move; None where it ends so."""
    return _Why(board, runner_id, search(board, runner_id), value).step() if is_move(value) else None


class _Why:
    """The step of the pseudocode that decides between its move and the student's."""

    def __init__(self, board: Board, runner_id: int, found: Search, value: Any) -> None:
        self.board = board
        self.head_number = 2 * runner_id
        self.found = found
        self.heuristic = nearest_food(board)
        is_step = found.head is not None and value in tuple(Move)
        self.yours = stepped(found.head, Move(int(value))) if found.head and is_step else None
        self.steps = tuple(_replayed(board, found))
        self.parents = {step.place: step.parent for step in self.steps}

    def __str__(self) -> str:
        found = self.found
        if found.head is None:
            return f"no {self.head_number} (2 * runner_id), the runner's head, is on the map"
        if not found.path:
            return self.without_food(found.head)
        if self.yours is None:
            head = f"the head, the {self.head_number}, is at {at(found.head)}"
            return (
                f"{head} and food can be reached, and -1 is only for a map without a head or a way; {self.way_back()}"
            )
        return self.overwritten() or self.by_sum() or self.by_order()

    def step(self) -> int | None:
        taken = self.found.taken
        if not self.found.path or self.yours is None:
            return None
        for _, changed in self.taken_over():
            return taken.index(changed.last) + 1
        return taken.index(self.found.path[1]) if self.by_sum() else None

    def without_food(self, head: Place) -> str:
        sight = "no food can be reached" if FOOD in self.board.cells else "there is no food on the map"
        ways = ", ".join(
            self.way(head, move) for move in Move if self.found.move == NOTHING or move <= self.found.move
        )
        rule = "the first passable way of 0, 1, 2, 3 is taken" if self.found.move != NOTHING else "no way is passable"
        return f"{sight} and {rule} ({ways})"

    def way(self, head: Place, move: Move) -> str:
        place = stepped(head, move)
        if not self.board.has(place):
            return f"{told(move)} is off the map"
        cell = self.board.at(place)
        return f"{told(move)} is {'free' if cell in (FREE, FOOD) else f'closed by the {cell}'}"

    def overwritten(self) -> str:
        """Tell of a point that a later neighbour took over."""
        for place, changed in self.taken_over():
            return (
                f"{at(place)} is reached from {at(changed.first)} first, but it still waits in OPEN when "
                f"{at(changed.last)} is taken and overwrites it, as it isn't visited yet; {self.way_back()}"
            )
        return ""

    def taken_over(self) -> Iterator[tuple[Place, Overwriting]]:
        """Give the points of the way that changed hands, where the first hand would give the student's move."""
        for place in self.found.path:
            changed = self.found.overwritten.get(place)
            if changed and self.yours != self.found.path[1] and self.yours in self.trail(changed.first):
                yield place, changed

    def trail(self, place: Place) -> list[Place]:
        """Go back to the head from a point that was taken, along the parents that it had then."""
        trail = [place]
        while trail[-1] != self.found.head:
            trail.append(self.parents[trail[-1]])
        return trail

    def by_sum(self) -> str:
        """Compare the two squares beside the head, where the pseudocode's is taken first."""
        found, first = self.found, self.found.path[1]
        if not self.yours or not self.board.is_passable(self.yours):
            return self.way_back()
        order = {place: number for number, place in reversed(list(enumerate(found.taken)))}
        if order[first] > order.get(self.yours, len(found.taken)):
            return ""
        ours, yours = self.heuristic_of(first), self.heuristic_of(self.yours)
        sums = f"f is {self.sum(1, first)} at {at(first)} and {self.sum(1, self.yours)} at your {at(self.yours)}"
        rule = "the least f is taken first" if ours < yours else "equal f are taken by row, then column"
        return f"{sums}; {rule}, so {at(first)} comes first, and {self.way_back()}"

    def by_order(self) -> str:
        """List what the search takes, where the student's square is taken before the right one."""
        steps = self.steps[1:]
        shown = [f"{at(step.place)} f = {self.sum(step.cost, step.place)}" for step in steps[:MOST_TAKEN]]
        more = ", …" if len(steps) > MOST_TAKEN else ""
        return f"the search takes {', '.join(shown)}{more}; {self.way_back()}"

    def way_back(self) -> str:
        path = [at(place) for place in reversed(self.found.path)]
        shown = path if len(path) <= MOST_TAKEN else [*path[:2], "…", *path[-2:]]
        return f"the way back from the food is {', '.join(shown)}"

    def heuristic_of(self, place: Place) -> float:
        return self.heuristic[place[0] * self.board.columns + place[1]]

    def sum(self, cost: int, place: Place) -> str:
        h = self.heuristic_of(place)
        return f"{cost} + {h:g} = {cost + h:g}"


def at(place: Place) -> str:
    return f"({place[0]}, {place[1]})"
