"""Recognises the moves of a mistaken search, when they prove it.

A suspect is named only if it gives all the moves of the case, two wrong ones among them, and no other suspect does.
None of them decides a verdict; they only find the words for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from reference.runner.board import NOTHING, Board, Move, is_number, told
from reference.runner.mistaken import mistaken_move
from reference.runner.trace import Suspect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_CELLS = 60_000
"""Squares of boards that all suspects together may search: about half a second."""
_LEAST_WRONG = 2
_LEAST_SAME = 6

SUSPECTS = (
    Suspect(
        words="a textbook A*, which overwrites a waiting point only by a smaller cost; the pseudocode overwrites it "
        "as long as it isn't visited",
        renews="cheaper",
    ),
    Suspect(
        words="a search that overwrites a visited point by an equal cost; only a smaller one may", renews="equal"
    ),
    Suspect(words="a search in which old sums of an overwritten point still count (in a heap)", renews="stale"),
    Suspect(words="a search that breaks ties by column first; the pseudocode compares rows first", tie="column"),
    Suspect(words="a search that takes the last row and column among equal sums, not the first", tie="last"),
    Suspect(words="a search that breaks ties by the distance to the food, not by row and column", tie="near"),
    Suspect(words="a search that breaks ties by age (oldest first), not by row and column", tie="oldest"),
    Suspect(words="a search that breaks ties by age (newest first), not by row and column", tie="newest"),
    Suspect(words="a search that measures only to the first food of the map, not to the nearest", distance="first"),
    Suspect(words="a search that measures only to the last food of the map, not to the nearest", distance="last"),
    Suspect(words="a search that measures to the farthest food, not to the nearest", distance="farthest"),
    Suspect(
        words="a search that measures in a straight line, not along rows and columns (Manhattan)", distance="straight"
    ),
    Suspect(words="a search that measures as a king walks, not along rows and columns (Manhattan)", distance="king"),
    Suspect(words="a search without heuristic (breadth first)", distance="none"),
    Suspect(words="a search by the distance alone, without the cost", is_greedy=True),
    Suspect(words="a search that ends when it sees food beside a point, not when it takes it", stops_early=True),
    Suspect(words="a search that takes food for closed; 0 and -1 are passable", passes="free"),
    Suspect(words="a search that walks through bodies; only 0 and -1 are passable", passes="bodies"),
    Suspect(words="a search that walks through heads; only 0 and -1 are passable", passes="heads"),
    Suspect(words="a search that walks through the runner's own body; only 0 and -1 are passable", passes="own"),
    Suspect(words="a search that takes every square for passable; only 0 and -1 are", passes="all"),
    Suspect(words="a search that takes runner_id for the head; the head is 2 * runner_id", head=1),
    Suspect(words="a search that takes size_m for the columns; it is the number of rows", shape="sizes"),
    Suspect(words="a search that exchanges rows and columns, and so up with left, down with right", shape="turned"),
    Suspect(words="a search that goes on in the next row at the end of a row", shape="run on"),
    Suspect(words="a search that takes the last passable way without food in reach, not the first", fallback="last"),
    Suspect(
        words="a search that gives up (-1) without food in reach; the first passable way is asked", fallback="none"
    ),
    Suspect(words="a search that gives the last step of the path to the food, not the first", step="last"),
    Suspect(words="a search that gives the direction back to the head, not away from it", step="back"),
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One call: its board, what came back, what the pseudocode gives."""

    board: Board
    value: Any
    right: int


def recognise(boards: Sequence[Board], runner_id: int, moves: Sequence[Any], right: Sequence[int]) -> str:
    """Name the only mistake that explains all these moves; nothing when there is none, or more than one."""
    asked = [
        Asked(board=board, value=value, right=move) for board, value, move in zip(boards, moves, right, strict=False)
    ]
    fickle = _fickle(asked)
    if fickle or sum(ask.value != ask.right for ask in asked) < _LEAST_WRONG:
        return fickle
    fitting = _fitting(asked, runner_id)
    if same := _constant(asked, runner_id, fitting or []):
        return same
    named = [*_renamed(asked), *(f"All your moves are those of {suspect.words}" for suspect in fitting or [])]
    return named[0] if len(named) == 1 and fitting is not None else ""


def _constant(asked: list[Asked], runner_id: int, fitting: list[Suspect]) -> str:
    """State that all answers are the same; that is no proof of a mistake, but of -1 it says where to look."""
    is_nothing = asked[0].value == NOTHING
    is_telling = is_nothing or (len(asked) >= _LEAST_SAME and len({ask.right for ask in asked}) > 1)
    if not is_telling or len({repr(ask.value) for ask in asked}) > 1:
        return ""
    text = f"You return {told(asked[0].value)} on all {len(asked)} maps"
    if is_nothing and all(suspect.head == 1 for suspect in fitting):
        return f"{text}, as the starter does; is the head found? Its number is 2 * runner_id, here {2 * runner_id}"
    return text


def _fickle(asked: list[Asked]) -> str:
    """Find one board that was answered in two ways: something is kept from call to call."""
    known: dict[Board, tuple[int, Any]] = {}
    for number, ask in enumerate(asked):
        first, value = known.setdefault(ask.board, (number, ask.value))
        if value != ask.value:
            same = f"Maps {first} and {number} are the same, but you answer {told(value)} and {told(ask.value)}"
            return f"{same}: something is kept from one call to the next"
    return ""


def _renamed(asked: list[Asked]) -> Iterator[str]:
    """Recognise the right search with other numbers for the directions."""
    names = {ask.right: ask.value for ask in asked}
    is_steady = all(names[ask.right] == ask.value for ask in asked) and names.get(NOTHING, NOTHING) == NOTHING
    ways = {move: names[move] for move in sorted(names) if move != NOTHING}
    is_numbering = all(is_number(value) and value in tuple(Move) for value in ways.values())
    if is_steady and is_numbering and len(set(ways.values())) == len(ways):
        wrong = [f"{value} for {Move(move).name.lower()} ({move})" for move, value in ways.items() if value != move]
        names_them = f"All your moves are right but for the numbers of the directions: you return {', '.join(wrong)}"
        yield names_them if len(ways) > 1 else ""


def _fitting(asked: list[Asked], runner_id: int) -> list[Suspect] | None:
    """Give the suspects that explain every move, the wrong ones asked first; None for boards that are too large."""
    fitting = list(SUSPECTS)
    cells_left = MOST_CELLS
    for ask in sorted(asked, key=lambda ask: (ask.value == ask.right, len(ask.board.cells))):
        cells_left -= len(fitting) * len(ask.board.cells)
        if cells_left < 0:
            return None
        fitting = [suspect for suspect in fitting if mistaken_move(ask.board, runner_id, suspect) == ask.value]
        if not fitting:
            break
    return fitting
