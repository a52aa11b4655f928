"""Names the mistaken searches that give all the moves of a case, and the words for what they have in common.

None of them decides a verdict; they only find the words for it.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.result import Accusation, Suspicion
from reference.runner import mistaken
from reference.runner.board import NOTHING, Board, Move, told
from reference.runner.search import best_move
from reference.runner.trace import Suspect

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CELLS = 200_000
"""Squares of boards that all suspects together may search: about a second, and answers are remembered."""
_ALWAYS = "always "
_NUMBERS = "numbers "
_TABLE = "table "
_STEPS = "steps "
_BACK = "2301"
"""Numbers that are no slip in the numbers: each is that of the opposite direction."""
_MOST_TOLD = 3

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
    Suspect(words="a search that breaks ties by the order in which points come into OPEN", tie="seen"),
    Suspect(words="a search that breaks ties by age (newest first), not by row and column", tie="newest"),
    Suspect(words="a search that measures only to the first food of the map, not to the nearest", distance="first"),
    Suspect(words="a search that measures only to the last food of the map, not to the nearest", distance="last"),
    Suspect(words="a search that measures to the farthest food, not to the nearest", distance="farthest"),
    Suspect(
        words="a search that measures in a straight line, not along rows and columns (Manhattan)", distance="straight"
    ),
    Suspect(words="a search that measures as a king walks, not along rows and columns (Manhattan)", distance="king"),
    Suspect(words="a search that measures the square of the distance", distance="squared"),
    Suspect(words="a search without heuristic (breadth first)", distance="none"),
    Suspect(words="a breadth-first search with a queue", distance="none", tie="seen", renews="never"),
    Suspect(words="a search by the distance alone, without the cost", is_greedy=True),
    Suspect(words="a search that ends when it sees food beside a point, not when it takes it", stops_early="first"),
    Suspect(
        words="a search that ends when it sees food beside a point, not when the food is taken", stops_early="last"
    ),
    Suspect(words="a search that takes food for closed; 0 and -1 are passable", passes="free"),
    Suspect(words="a search that walks through bodies; only 0 and -1 are passable", passes="bodies"),
    Suspect(words="a search that walks through the bodies of others; only 0 and -1 are passable", passes="others"),
    Suspect(words="a search that walks through all but its own parts; only 0 and -1 are passable", passes="strange"),
    Suspect(words="a search that walks through heads; only 0 and -1 are passable", passes="heads"),
    Suspect(words="a search that walks through the runner's own body; only 0 and -1 are passable", passes="own"),
    Suspect(words="a search that takes every square for passable; only 0 and -1 are", passes="all"),
    Suspect(words="a search that takes runner_id for the head; the head is 2 * runner_id", head=1),
    Suspect(
        words="a search that takes the last runner_id for the head; it is 2 * runner_id", head=1, takes_last=True
    ),
    Suspect(words="a search that takes 2 for the head, whatever runner_id is", head=0, head_less=-2),
    Suspect(words="a search that takes a body (2 * runner_id - 1) for the head (2 * runner_id)", head_less=1),
    Suspect(words="a search that takes size_m for the columns; it is the number of rows", shape="sizes"),
    Suspect(words="a search that exchanges rows and columns, and so up with left, down with right", shape="turned"),
    Suspect(words="a search that goes on in the next row at the end of a row", shape="run on"),
    Suspect(words="a search that takes the last passable way without food in reach, not the first", fallback="last"),
    Suspect(
        words="a search that gives up (-1) without food in reach; the first passable way is asked", fallback="none"
    ),
    Suspect(
        words="a search that goes up (0) without food in reach; the first passable way is asked", fallback="always"
    ),
    Suspect(words="a search that goes up (0) where no way is passable; -1 is asked", fallback="up"),
    Suspect(
        words="a search that gives up (-1) without food on the map; the first passable way is asked", fallback="bare"
    ),
    Suspect(words="a search that tries 1, 2, 3 and then 0 without food in reach; 0 comes first", fallback="1230"),
    Suspect(words="a search that goes on after the first food and takes the last one", goes_on=True),
    Suspect(words="a program that goes straight for the nearest food, without a search", beeline="0123"),
    Suspect(words="a program that goes to the nearest food by rows first, without a search", beeline="0213"),
    Suspect(words="a program that goes to the nearest food by columns first, without a search", beeline="1302"),
    Suspect(
        words="a search that marks a point as visited when it comes into OPEN, not when it is taken", renews="never"
    ),
    Suspect(words="a search that gives the last step of the path to the food, not the first", step="last"),
    Suspect(words="a search that gives the direction back to the head, not away from it", step="back"),
)


_ORDERS = tuple("".join(order) for order in permutations("0123") if "".join(order) != "0123")
TABLES = (
    *(Suspect(words=f"{_TABLE}{order}", table=order) for order in _ORDERS),
    *(Suspect(words=f"{_STEPS}{order}", steps=order) for order in _ORDERS if order != _BACK),
)
"""Programs that number the directions in another order and try them in it, or do so only on the way to food."""
_SUSPECT_OF = {suspect.words: suspect for suspect in (*SUSPECTS, *TABLES)}
NAMES = (
    *_SUSPECT_OF,
    *(f"{_NUMBERS}{order}" for order in _ORDERS),
    *(f"{_ALWAYS}{move}" for move in (NOTHING, *map(int, Move))),
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One call: its board, what came back, what the pseudocode gives."""

    board: Board
    value: Any
    right: int


def asked(boards: Sequence[Board], values: Sequence[Any], right: Sequence[int]) -> list[Asked]:
    return [
        Asked(board=board, value=value, right=move) for board, value, move in zip(boards, values, right, strict=False)
    ]


def suspect(calls: list[Asked], runner_id: int) -> Suspicion | None:
    """Return the mistakes that give every one of these moves; None where a call gave no move."""
    if not all(call.value in (NOTHING, *Move) for call in calls):
        return None
    wrong = sum(call.value != call.right for call in calls)
    names = _fitting(calls, runner_id)
    return None if names is None or not wrong else Suspicion(names=names, weight=min(wrong, 2))


def _fitting(calls: list[Asked], runner_id: int) -> tuple[str, ...] | None:
    """Ask about the wrong moves first; None for boards that are too large."""
    fitting = list(NAMES)
    cells_left = MOST_CELLS
    for call in sorted(calls, key=lambda call: (call.value == call.right, len(call.board.cells))):
        cells_left -= len(fitting) * len(call.board.cells)
        if cells_left < 0:
            return None
        fitting = [name for name in fitting if mistaken_answer(call.board, runner_id, name) == call.value]
        if not fitting:
            break
    return tuple(fitting)


def mistaken_answer(board: Board, runner_id: int, name: str) -> int:
    """Return what a program with this mistake answers."""
    if name.startswith(_ALWAYS):
        return int(name.removeprefix(_ALWAYS))
    if name.startswith(_NUMBERS):
        move = best_move(board, runner_id)
        return move if move == NOTHING else int(name.removeprefix(_NUMBERS)[move])
    return mistaken.mistaken_move(board, runner_id, _SUSPECT_OF[name])


def would_pass(boards: Sequence[Board], runner_id: int, name: str) -> bool:
    """Tell whether a mistake shows on none of these boards."""
    if sum(len(board.cells) for board in boards) > MOST_CELLS:
        return True
    return all(mistaken_answer(board, runner_id, name) == best_move(board, runner_id) for board in boards)


def accuse(names: tuple[str, ...]) -> Accusation | None:
    """Say what these have in common: one answer everywhere, other numbers for the moves, one or two searches."""
    same = [name.removeprefix(_ALWAYS) for name in names if name.startswith(_ALWAYS)]
    if same:
        head = ", as the starter does: is the head found? Its number is 2 * runner_id" * (same[0] == str(NOTHING))
        return Accusation(words=f"You return {told(int(same[0]))} on every map{head}.")
    numbered = [numbers for name in names if (numbers := _numbers_of(name))]
    if numbered:
        return _accuse_numbers(numbered) if len(numbered) == len(names) else None
    if len(names) > _MOST_TOLD:
        return None
    return Accusation(words=f"All your moves are those of {', or of '.join(names)}.")


def _numbers_of(name: str) -> str:
    """Return the number that a program returns for each of the four moves, if that is its mistake."""
    kind, _, order = name.partition(" ")
    if kind == _TABLE.strip():
        return "".join(str(order.index(move)) for move in "0123")
    return order if kind in {_NUMBERS.strip(), _STEPS.strip()} else ""


def _accuse_numbers(numbered: list[str]) -> Accusation | None:
    common = {move: numbered[0][move] for move in Move if len({numbers[move] for numbers in numbered}) == 1}
    wrong = [
        f"{number} for {move.name.lower()} ({move:d})" for move, number in common.items() if number != f"{move:d}"
    ]
    if not wrong:
        return None
    words = f"All your moves are right but for the numbers of the directions: you return {', '.join(wrong)}."
    return Accusation(words=words)


def say_fickle(calls: list[Asked]) -> str:
    """Find one board that was answered in two ways: something is kept from call to call."""
    known: dict[Board, tuple[int, Any]] = {}
    for number, call in enumerate(calls):
        first, value = known.setdefault(call.board, (number, call.value))
        if value != call.value:
            same = f"Maps {first} and {number} are the same, but you answer {told(value)} and {told(call.value)}"
            return f"{same}: something is kept from one call to the next"
    return ""
