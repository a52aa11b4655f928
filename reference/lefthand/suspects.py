"""Names the wrong rules that explain every pose of a walk, and puts what they have in common into words."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from grader.model.result import Accusation, Suspicion
from reference.lefthand import mistaken
from reference.lefthand.told_walk import MOST_POSES, told_walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.lefthand.maze import Maze, Pose

_WAYS = {"l": "left", "s": "straight on", "r": "right", "b": "back"}
_RULE = "left, straight on, right, back"
_PROOF = 3
"""Frames after the first wrong one that a wrong rule must explain to be named by this case alone."""
_RIGHT_HAND = {("r", "l"), ("r", "s"), ("s", "l")}
_RIGHT_WORDS = "Your solver keeps its right hand on the wall: it tries right first, then straight on, then left."
_FITS = "All your frames fit"
_WORDS = {
    "turned-late": "Your frames come after a step but before its turn: step, then turn, then print.",
    "misread line-end": f"{_FITS} a map in which the line end ('\\n' or '\\r') is one more square of each row.",
    "misread carriage-return": f"{_FITS} a map in which the line end '\\r' is one more square of each row.",
    "misread row-0": f"{_FITS} a map in which each row is cut to the length of row 0.",
    "misread last-row": f"{_FITS} a map without its last row.",
    "misread last-column": f"{_FITS} a map without its last column.",
    "closed .": f"{_FITS} a solver that can't walk on the squares it has left, the '.' on its map; they stay open.",
    "closed S": f"{_FITS} a solver that can't walk on S; S counts as '#' does.",
    "closed E": f"{_FITS} a solver that can't walk to E; E counts as '#' does.",
    "closed SE": f"{_FITS} a solver that can't walk on S, nor to E; both count as '#' does.",
    "exchanged NS": f"{_FITS} a solver that goes down when it faces N, and up when it faces S; row 0 is the top row.",
    "exchanged WE": f"{_FITS} a solver that goes right when it faces W, and left when it faces E.",
}
_KINDS = {
    "turned-late": "turn-before-step",
    "misread line-end": "line-end-kept",
    "misread carriage-return": "line-end-kept",
    "misread row-0": "cut-rows",
    "misread last-row": "cut-rows",
    "misread last-column": "cut-rows",
}
_WRAPS = f"{_FITS} a solver for which row or column -1 is the last one, as the index -1 is in Python."
NAMES = (
    *(f"order {''.join(order)}" for order in permutations("lsrb") if "".join(order) != "lsrb"),
    *(f"first {''.join(order)}" for order in permutations("NWSE") if "".join(order) != "NWSE"),
    *(f"wraps {axes}{shape}" for axes in ("xy", "x", "y") for shape in ("", " padded")),
    "mirrored",
    *_WORDS,
)


def suspect(maze: Maze, poses: Sequence[Pose], index: int) -> Suspicion | None:
    """Return the wrong rules that give all these poses, of which `index` is the first wrong one."""
    if index >= MOST_POSES:
        return None
    told = told_walk(poses)
    names = tuple(name for name in NAMES if mistaken.walk_text(maze, name).startswith(told))
    is_proof = len(poses) > index + _PROOF or (index > 0 and any(name.startswith("wraps") for name in names))
    return Suspicion(names=names, weight=2 if is_proof else 1)


def would_pass(maze: Maze, name: str) -> bool:
    """Tell whether a wrong rule walks as the right one does, as far as both are compared."""
    return mistaken.walk_text(maze, name) == mistaken.walk_text(maze, "")


def accuse(names: tuple[str, ...]) -> Accusation | None:
    """Say what these rules have in common, if they are of one sort."""
    sorts = {name.partition(" ")[0] for name in names}
    if sorts <= {"order", "mirrored"}:
        return _accuse_turns([name for name in names if name != "mirrored"])
    if sorts == {"first"}:
        return _accuse_first(names)
    if sorts == {"wraps"}:
        return Accusation(kind="wraps-around", words=_WRAPS)
    if names == ("misread line-end", "misread carriage-return"):
        names = names[1:]
    if len(names) == 1:
        return Accusation(kind=_KINDS.get(names[0], ""), words=_WORDS[names[0]])
    return None


def _accuse_turns(names: list[str]) -> Accusation | None:
    if not names:
        return Accusation(kind="right-hand", words=f"{_RIGHT_WORDS} At the start it turns right, too.")
    common = set.intersection(*(_exchanged(name.split()[1]) for name in names))
    if common >= _RIGHT_HAND:
        return Accusation(kind="right-hand", words=_RIGHT_WORDS)
    if not common:
        return None
    pairs = " and ".join(f"{_WAYS[one]} before {_WAYS[other]}" for one, other in sorted(common))
    return Accusation(kind="turn-order", words=f"{_FITS} a solver that tries {pairs}; the rule's order is {_RULE}.")


def _exchanged(order: str) -> set[tuple[str, str]]:
    """Return the pairs that the rule tries the other way round."""
    pairs = [(later, earlier) for at, earlier in enumerate("lsrb") for later in "lsrb"[at + 1 :]]
    return {(later, earlier) for later, earlier in pairs if order.index(later) < order.index(earlier)}


def _accuse_first(names: tuple[str, ...]) -> Accusation:
    turned = " Your solver looks for it by turning right (N, E, S, W)." if names == ("first NESW",) else ""
    words = f"Only your first direction is wrong: from there on your walk follows the rule.{turned}"
    return Accusation(kind="first-facing", words=words)
