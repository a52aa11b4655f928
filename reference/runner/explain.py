"""Why the pseudocode moves as it does, in its own terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.runner.board import FOOD, Board, Move, Place, is_number, stepped, told
from reference.runner.search import Search, search

if TYPE_CHECKING:
    from reference.runner.suspects import Suspect

_MOVES = (-1, 0, 1, 2, 3)


def compare(board: Board, runner_id: int, value: Any) -> str:
    """Set a student's wrong move beside the pseudocode's, with the reason."""
    found = search(board, runner_id)
    if not (is_number(value) and value in _MOVES):
        given = f"you returned {told(value)}, which is no move (0, 1, 2, 3 or -1)"
        return f"{given}; the pseudocode gives {told(found.move)}"
    hit = _hit(board, found, int(value))
    verb = "returned" if value == -1 else "moved"
    return f"you {verb} {told(value)}{hit}, the pseudocode gives {told(found.move)}: {why(board, runner_id, found)}"


def why(board: Board, runner_id: int, found: Search) -> str:
    """Tell the step of the pseudocode that decides the move."""
    if found.head is None:
        return f"no {2 * runner_id}, the runner's head, is on the map"
    if not found.path:
        sight = "no food can be reached" if FOOD in board.cells else "there is no food on the map"
        if found.move == -1:
            return f"{sight} and none of the squares beside the head is passable"
        return f"{sight}, so the first passable way of 0, 1, 2, 3 is taken"
    for place in found.path:
        if changed := found.overwritten.get(place):
            return (
                f"{_at(place)} was overwritten by the later neighbour {_at(changed.last)} "
                f"after {_at(changed.first)} had reached it, as it was not visited yet"
            )
    return f"the search takes the food at {_at(found.path[-1])} and traces it back to {_at(found.path[1])}"


def accuse(suspect: Suspect | None) -> str:
    """Name the mistake that the moves look like."""
    return f" Your moves could come from {suspect.words}." if suspect else ""


def _hit(board: Board, found: Search, value: int) -> str:
    if found.head is None or value == -1:
        return ""
    place = stepped(found.head, Move(value))
    if not board.has(place):
        return ", off the map"
    return "" if board.is_passable(place) else f", onto the {board.at(place)} at {_at(place)}"


def _at(place: Place) -> str:
    return f"({place[0]}, {place[1]})"
