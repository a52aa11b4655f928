"""Why the rule is where it is and faces as it faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reference.lefthand.maze import Facing, Maze, Pose

if TYPE_CHECKING:
    from collections.abc import Callable

Place = tuple[int, int]

_WAYS: tuple[tuple[str, Callable[[Facing], Facing]], ...] = (
    ("left", lambda heading: heading.left),
    ("straight on", lambda heading: heading),
    ("right", lambda heading: heading.right),
    ("back", lambda heading: heading.back),
)


class Reason(msgspec.Struct, frozen=True):
    kind: str
    words: str


def at(place: Place) -> str:
    return f"column {place[0]}, row {place[1]}"


def explain_facing(maze: Maze, before: Pose | None, pose: Pose, found: Facing) -> Reason:
    """Say which ways are open after the step and which one the rule takes."""
    taken = Pose(pose.x, pose.y, found).ahead
    if before is None:
        kind, words = "first-facing", _explain_first(pose, found)
    else:
        heading = before.facing
        chosen = next(name for name, turn in _WAYS if turn(heading) == pose.facing)
        kind = "wrong-turn"
        opening = _opening(heading, chosen, pose.facing)
        words = f"at {at((pose.x, pose.y))}, facing {heading}, {opening}; {_student(heading, found)}"
    if maze.is_walkable(*taken):
        return Reason(kind, f"{words}{_counts(maze, pose)}")
    return Reason(kind, f"{words}, {_closed(maze, taken)}")


def explain_place(maze: Maze, before: Pose | None, pose: Pose, found: Place) -> Reason:
    """Say where the step leads, and what the student's place may come from."""
    right, wrong = at((pose.x, pose.y)), at(found)
    if before is None:
        on = ", on E" if found == maze.end else ""
        return Reason("position", f"the walk begins on S at {right}; your solver is at {wrong}{on}")
    if found == maze.end:
        return Reason("stepped-on-end", f"your solver stepped on E at {wrong}: the walk ends when the solver faces E")
    if found == (before.x, before.y):
        return Reason(
            "position", f"the solver steps {before.facing} from {wrong} to {right}; yours stays where it was"
        )
    step = f"a step {before.facing} from {at((before.x, before.y))} leads to {right}"
    return Reason("position", f"{step}; your solver is at {wrong}")


def _explain_first(pose: Pose, found: Facing) -> str:
    start = f"on S at {at((pose.x, pose.y))}"
    if pose.facing is Facing.N:
        return f"{start} the way N is open, so the solver faces N first; yours faces {found}"
    return (
        f"{start} the way N is closed; turning left from it (N, W, S, E) the first open way is {pose.facing}; "
        f"yours faces {found}"
    )


def _opening(heading: Facing, chosen: str, facing: Facing) -> str:
    if chosen == "left":
        return f"the way left ({facing}) is open, so the rule turns {facing}"
    if chosen == "straight on":
        return f"the way left ({heading.left}) is closed and straight on is open, so the rule goes on {facing}"
    if chosen == "right":
        return f"left and straight on are closed and the way right ({facing}) is open, so the rule turns {facing}"
    return f"left, straight on and right are closed: a dead end, so the rule turns back to {facing}"


def _student(heading: Facing, found: Facing) -> str:
    if found == heading:
        return f"your solver goes on {found}"
    side = next(name for name, turn in _WAYS if turn(heading) == found)
    return f"your solver turns {side} to {found}"


def _counts(maze: Maze, pose: Pose) -> str:
    """Say that S and E are ways, where one of them was passed by."""
    letter = {maze.end: "E", maze.start: "S"}.get(pose.ahead)
    return f". The square {pose.facing} of it is {letter}, which can be walked like '#'" if letter else ""


def _closed(maze: Maze, place: Place) -> str:
    """Say what is at a place that can't be walked."""
    x, y = place
    if 0 <= y < len(maze.rows) and 0 <= x < maze.width:
        return f"where {at(place)} is a space: no way"
    return f"where {at(place)} is off the map"
