"""Why the rule stands where it stands and faces as it faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def explain_facing(maze: Maze, before: Pose | None, pose: Pose, found: Facing) -> str:
    """Say which ways are open after the step and which one the rule takes."""
    if before is None:
        return _explain_first(maze, pose, found)
    heading = before.facing
    at = f"at ({pose.x}, {pose.y}) facing {heading}"
    chosen = next(name for name, turn in _WAYS if turn(heading) == pose.facing)
    return f"{at} {_opening(heading, chosen, pose.facing)}; {_student(heading, found)}"


def explain_place(maze: Maze, before: Pose | None, pose: Pose, found: Place) -> str:
    """Say where the step leads, and what the student's place may come from."""
    right = f"({pose.x}, {pose.y})"
    wrong = f"({found[0]}, {found[1]})"
    if found == (pose.y, pose.x):
        return f"the solver is at {right}; your line says {found[0]},{found[1]}: x, the column, comes first"
    if before is None:
        return f"the walk begins on S at {right}; your solver is at {wrong}"
    if found == maze.end:
        return f"your solver stepped on E at {wrong}: the walk ends when the solver faces E"
    if found == (before.x, before.y):
        return f"the solver steps {before.facing} from {wrong} to {right}; yours stayed where it was"
    return f"a step {before.facing} from ({before.x}, {before.y}) leads to {right}; your solver is at {wrong}"


def _explain_first(maze: Maze, pose: Pose, found: Facing) -> str:
    start = f"on S at ({pose.x}, {pose.y})"
    if pose.facing is Facing.N:
        return f"{start} the way N is open, so the solver faces N first; yours faces {found}"
    is_open = maze.is_walkable(*Pose(pose.x, pose.y, found).ahead)
    yours = "which is open too but comes later" if is_open else "which can't be walked"
    return (
        f"{start} the way N is closed; turning left from it (N, W, S, E) the first open way is {pose.facing}; "
        f"yours faces {found}, {yours}"
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
        return f"your solver went on {found}"
    side = next(name for name, turn in _WAYS if turn(heading) == found)
    return f"your solver turned {side} to {found}"
