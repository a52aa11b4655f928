"""Why the rule is where it is and faces as it faces."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from reference.lefthand.maze import Facing, Maze, Pose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference.lefthand.output import Expected, ToldFrame


Place = tuple[int, int]

_WAYS: tuple[tuple[str, Callable[[Facing], Facing]], ...] = (
    ("left", lambda heading: heading.left),
    ("straight on", lambda heading: heading),
    ("right", lambda heading: heading.right),
    ("back", lambda heading: heading.back),
)
Frames = tuple["ToldFrame", ...]
_LINES: dict[Callable[[ToldFrame], ToldFrame], str] = {
    lambda told: told: "the two lines below it are those",
    lambda told: replace(told, facing=None): "its position line is that",
    lambda told: replace(told, place=None): "its direction line is that",
}


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


def explain_sequence(expected: Expected, frames: Frames, index: int, *, is_whole: bool) -> Reason | None:
    """Find what was done to the row of frames, the first wrong of which is `index`; it must explain all of them."""
    for find in (_left_out, _repeated, _turn_is_a_frame, _only_some):
        if reason := find(expected, frames, index, is_whole):
            return reason
    return _late(expected, frames) if len(frames) > 2 else None


def _left_out(expected: Expected, frames: Frames, index: int, is_whole: bool) -> Reason | None:
    shifted = all(expected.agrees(number + 1, told) for number, told in enumerate(frames[index:], start=index))
    if not shifted or (is_whole and len(frames) != len(expected.poses) - 1):
        return None
    if index == 0:
        words = (
            "the first frame is missing: print the map with the solver on S, and its two lines, before the first move"
        )
        return Reason("first-frame-missing", f"{words}. Your first frame is the one after it")
    words = "this frame is missing: your output goes on with the one after it; print one after every move"
    return Reason("frame-missing", words)


def _repeated(expected: Expected, frames: Frames, index: int, is_whole: bool) -> Reason | None:
    kept = frames[:1] + tuple(after for before, after in pairwise(frames) if not _same(before, after))
    if len(kept) == len(frames) or not _is_walk(expected, kept, is_whole):
        return None
    every = "every frame is" if len(frames) >= 2 * len(kept) > 2 else f"frame {index - 1} is"
    return Reason(
        "frame-repeated", f"{every} printed twice; print one frame before the first move and one after each move"
    )


def _turn_is_a_frame(expected: Expected, frames: Frames, index: int, is_whole: bool) -> Reason | None:
    """Keep the last of the frames in which the solver stays on its square."""
    del index
    kept = tuple(before for before, after in pairwise(frames) if before.place != after.place) + frames[-1:]
    if len(kept) == len(frames) or not _is_walk(expected, kept, is_whole):
        return None
    words = "your solver prints a frame before it turns and one after it; a step and the turn after it are one move"
    return Reason("turn-is-a-frame", f"{words}, with one frame")


def _only_some(expected: Expected, frames: Frames, index: int, is_whole: bool) -> Reason | None:
    """Look for the frames among the rule's, in their order."""
    del is_whole
    if index == 0 or index >= len(frames):
        return None
    place, met = 0, []
    for told in frames:
        while place < len(expected.pictures) and not expected.agrees(place, told):
            place += 1
        if place == len(expected.pictures):
            return None
        met.append(place)
        place += 1
    missing = len(expected.poses) - len(met)
    words = f"after frame {index - 1} your output goes on with frame {met[index]} of the walk"
    return Reason("frame-missing", f"{words}: {missing} frames are missing; print one after every move")


def _late(expected: Expected, frames: Frames) -> Reason | None:
    """Find maps or lines that show the frame before or after theirs."""
    later = list(enumerate(frames))[1:]
    right_lines = all(expected.has_pose(number, told) for number, told in enumerate(frames))
    right_maps = all(expected.has_picture(number, told) and told.rows for number, told in enumerate(frames))
    if all(told.rows == frames[0].rows != () for _, told in later) and len({told.place for _, told in later}) > 1:
        return Reason(
            "map-not-updated",
            "your map is the same in every frame; draw the arrow and the dots in it after each move",
        )
    if right_lines and all(told.rows == _one_dot_late(expected, number) for number, told in later):
        return Reason(
            "dot-late", "a square turns into '.' as soon as the solver has left it; yours turns one move later"
        )
    if right_lines and all(expected.has_picture(number - 1, told) for number, told in later):
        words = "the lines are right, but the map is that of the frame before: move the arrow before you print"
        return Reason("map-late", words)
    if not right_maps:
        return None
    for part, words in _LINES.items():
        for shift, when in ((-1, "before"), (1, "after")):
            if _is_shifted(expected, later if shift < 0 else list(enumerate(frames))[:-1], part, shift):
                return Reason("lines-late", f"the map is right, but {words} of the frame {when}")
    return None


def _one_dot_late(expected: Expected, number: int) -> tuple[str, ...] | None:
    """Draw a frame in which the arrow of the frame before is still there."""
    if number >= len(expected.pictures):
        return None
    left, here = expected.poses[number - 1], expected.poses[number]
    rows = list(expected.pictures[number])
    if (left.x, left.y) != (here.x, here.y):
        y = expected.heights.index(left.y)
        rows[y] = rows[y][: left.x] + left.facing.arrow + rows[y][left.x + 1 :]
    return tuple(rows)


def _is_shifted(
    expected: Expected, frames: Sequence[tuple[int, ToldFrame]], part: Callable[[ToldFrame], ToldFrame], shift: int
) -> bool:
    return all(expected.has_pose(number + shift, part(told)) for number, told in frames)


def _same(one: ToldFrame, other: ToldFrame) -> bool:
    return (one.place, one.facing, one.rows) == (other.place, other.facing, other.rows)


def _is_walk(expected: Expected, frames: Frames, is_whole: bool) -> bool:
    if len(frames) > len(expected.poses) or (is_whole and len(frames) != len(expected.poses)):
        return False
    return all(expected.agrees(number, told) for number, told in enumerate(frames))
