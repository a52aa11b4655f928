"""Wrong rules that students follow, tried until one explains every frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations, zip_longest

import msgspec
from msgspec.structs import replace

from reference.lefthand.maze import Facing, Maze, Pose
from reference.lefthand.walk import first_pose, move

Move = Callable[[Maze, Pose], Pose | None]
_WAYS = ("left", "straight on", "right", "back")
_PROOF = 3
"""Frames after the first wrong one that a wrong rule must explain before it is named."""
_WRAPS = "wraps-around"
_WRAPS_WORDS = (
    "All your frames fit a solver for which row or column -1 is the last one, as the index -1 is in Python."
)
_RULE = "left, straight on, right, back"
_RIGHT_HAND = {("right", "left"), ("right", "straight on"), ("straight on", "left")}

_RIGHT_WORDS = "Your solver keeps its right hand on the wall: it tries right first, then straight on, then left."


class Suspect(msgspec.Struct, frozen=True):
    kind: str
    words: str


def find_suspect(maze: Maze, poses: Sequence[Pose], index: int) -> Suspect | None:
    """Name the one wrong rule that gives all these poses, the first wrong of which is `index`, if that proves it."""
    tried = (
        (find(maze, poses) for find in (_turn_order, _mirrored, _turn_first, _first_way, _misread_file, _wraps))
        if poses
        else ()
    )
    found = [suspect for suspect in tried if suspect]
    if len(found) != 1 or (len(poses) <= index + _PROOF and not (found[0].kind == _WRAPS and index)):
        return None
    return found[0]


def _turn_order(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    """Find what all the orders that fit have in common."""
    if poses[0] != first_pose(maze):
        return None
    fitting = [order for order in permutations(_WAYS) if order != _WAYS and _fits(maze, poses, _ordered(order))]
    if not fitting:
        return None
    common = set.intersection(*(_exchanged(order) for order in fitting))
    if common >= _RIGHT_HAND:
        return Suspect("right-hand", _RIGHT_WORDS)
    if not common:
        return None
    pairs = " and ".join(f"{one} before {other}" for one, other in sorted(common))
    return Suspect("turn-order", f"All your frames fit a solver that tries {pairs}; the rule's order is {_RULE}.")


def _exchanged(order: Sequence[str]) -> set[tuple[str, str]]:
    """Give the pairs that the rule tries the other way round."""
    places = {way: place for place, way in enumerate(order)}
    return {
        (later, earlier)
        for at, earlier in enumerate(_WAYS)
        for later in _WAYS[at + 1 :]
        if places[later] < places[earlier]
    }


def _mirrored(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    """Walk with the right hand, after looking for the first facing clockwise."""
    clockwise = (Facing.N, Facing.E, Facing.S, Facing.W)
    first = _first_open(maze, *maze.start, clockwise)
    is_told = poses[0] == first != first_pose(maze) and len(poses) > 1
    fits = is_told and _fits(maze, poses, _ordered(("right", "straight on", "left", "back")))
    return Suspect("right-hand", f"{_RIGHT_WORDS} At the start it turns right, too.") if fits else None


def _turn_first(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    words = "Your frames come after a step but before the turn that belongs to it: step, then turn, then print."
    fits = poses[0] == first_pose(maze) and _fits(maze, poses, _turn_then_step)
    return Suspect("turn-before-step", words) if fits else None


def _first_way(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    """Find the order in which the first facing was looked for, if the walk is right from there on."""
    first = poses[0]
    if (first.x, first.y) != maze.start or first == first_pose(maze) or not _fits(maze, poses, move):
        return None
    ways = [facing for facing in Facing if maze.is_walkable(*Pose(first.x, first.y, facing).ahead)]
    if first.facing not in ways or first_pose(maze).ahead == maze.end:
        return None
    return Suspect("first-facing", "From there on your walk follows the rule: only its first direction is wrong.")


def _misread_file(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    """Walk by the rule in the map as it looks when its file is read badly."""
    width = len(maze.rows[0])
    line_end = repr("\r" if maze.newline == "\r\n" else "\n")
    wrong = {
        f"All your frames fit a map in which the line end {line_end} is one more square of each row.": (
            "line-end-kept",
            [f"{row}#" for row in maze.rows],
        ),
        "All your frames fit a map in which each row is cut to the length of row 0.": (
            "cut-rows",
            [row[:width] for row in maze.rows],
        ),
        "All your frames fit a map without its last row.": ("cut-rows", [*maze.rows[:-1], ""]),
        "All your frames fit a map without its last column.": (
            "cut-rows",
            [row[: maze.width - 1] for row in maze.rows],
        ),
    }
    fitting = []
    for words, (kind, rows) in wrong.items():
        misread = replace(maze, rows=tuple(rows))
        if _is_open_somewhere(misread) and poses[0] == first_pose(misread) and _fits(misread, poses, _by_the_rule):
            fitting.append(Suspect(kind, words))
    return fitting[0] if len(fitting) == 1 else None


class _Wrapping(Maze, frozen=True, kw_only=True):
    """A map that is read as Python reads lists: -1 is the last row or column."""

    axes: str

    def at(self, x: int, y: int) -> str:
        if y < 0 and "y" in self.axes:
            y += len(self.rows)
        if x < 0 <= y < len(self.rows) and "x" in self.axes:
            x += len(self.rows[y])
        return super().at(x, y)


def _wraps(maze: Maze, poses: Sequence[Pose]) -> Suspect | None:
    for axes in ("xy", "x", "y"):
        for rows in (maze.rows, tuple(maze.padded())):
            wrapping = _Wrapping(rows=rows, start=maze.start, end=maze.end, axes=axes)
            if poses[0] == first_pose(wrapping) and _fits(wrapping, poses, _by_the_rule):
                return Suspect(_WRAPS, _WRAPS_WORDS)
    return None


def _is_open_somewhere(maze: Maze) -> bool:
    return any(maze.is_walkable(*Pose(*maze.start, facing).ahead) for facing in Facing)


def _fits(maze: Maze, poses: Sequence[Pose], make: Move) -> bool:
    walked = islice(_walk(maze, poses[0], make), len(poses))
    return all(one == other for one, other in zip_longest(walked, poses))


def _walk(maze: Maze, pose: Pose, make: Move) -> Iterator[Pose]:
    """Walk by another rule; whoever calls stops, for it may go in circles."""
    current: Pose | None = pose
    while current is not None:
        yield current
        current = None if current.ahead == maze.end else make(maze, current)


def _ordered(order: Sequence[str]) -> Move:
    def step(maze: Maze, pose: Pose) -> Pose | None:
        x, y = pose.ahead
        return _first_open(maze, x, y, [_turned(pose.facing, way) for way in order])

    return step


_by_the_rule = _ordered(_WAYS)


def _turn_then_step(maze: Maze, pose: Pose) -> Pose | None:
    turned = _first_open(maze, pose.x, pose.y, [_turned(pose.facing, way) for way in _WAYS])
    return turned and Pose(*turned.ahead, turned.facing)


def _first_open(maze: Maze, x: int, y: int, facings: Sequence[Facing]) -> Pose | None:
    landed = (Pose(x, y, facing) for facing in facings)
    return next((pose for pose in landed if maze.is_walkable(*pose.ahead)), None)


def _turned(heading: Facing, way: str) -> Facing:
    return {"left": heading.left, "straight on": heading, "right": heading.right, "back": heading.back}[way]
