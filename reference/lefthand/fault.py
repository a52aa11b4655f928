"""What the first wrong frame of a walk breaks."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from grader.model.kit import WithheldError
from grader.model.result import Suspicion
from reference.lefthand.lines import MESSAGE, direction_line, position_line
from reference.lefthand.rows import Difference, explain_picture, explain_shape
from reference.lefthand.sequence import explain_sequence
from reference.lefthand.suspects import suspect
from reference.lefthand.turn import Reason, at, explain_facing, explain_place

if TYPE_CHECKING:
    from reference.lefthand.expected import Expected
    from reference.lefthand.maze import Maze, Pose
    from reference.lefthand.output import Output, ToldFrame


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    words: str
    frame: int
    expected: str = ""
    found: str = ""
    suspicion: Suspicion | None = None
    """The wrong rules that explain all frames."""


def walk_fault(expected: Expected, output: Output, *, is_whole: bool) -> Fault | None:
    """Find the first frame that isn't the rule's; None when all are."""
    frames = output.frames
    index = next((number for number, told in enumerate(frames) if not expected.agrees(number, told)), None)
    if index is None:
        return _ended(expected, output) if is_whole and len(frames) < len(expected.poses) else None
    if reason := explain_sequence(expected, frames, index, is_whole=is_whole):
        return _shown(reason, expected, index, frames[index])
    if index >= len(expected.poses):
        return _goes_on(expected, frames[index])
    fault = frame_fault(expected, index, frames[index])
    poses = tuple(pose for told in frames if (pose := told.pose))
    if fault is None or fault.kind not in _BY_RULE or len(poses) != len(frames):
        return fault
    return msgspec.structs.replace(fault, suspicion=_suspicion(expected.maze, poses, index))


def _suspicion(maze: Maze, poses: tuple[Pose, ...], index: int) -> Suspicion | None:
    """Look for wrong rules that explain the walk; of mazes of one's own the students' kit can prove none."""
    try:
        return suspect(maze, poses, index)
    except WithheldError:
        return Suspicion(names=())


_BY_RULE = frozenset({"position", "wrong-turn", "first-facing"})


def frame_fault(expected: Expected, index: int, told: ToldFrame) -> Fault | None:
    """Compare one frame: the map's shape, the position, the direction, then the map's squares."""
    pose, picture = expected.poses[index], expected.picture(index)
    if told.rows and (shape := explain_shape(picture, told.rows)):
        return _drawn(shape, index)
    if not expected.has_pose(index, told):
        return _shown(_pose_reason(expected, index, told), expected, index, told)
    difference = explain_picture(expected.maze, pose, picture, told.rows) if told.rows else None
    return _drawn(difference, index) if difference else None


def _drawn(difference: Difference, index: int) -> Fault:
    return Fault(
        kind=difference.kind,
        words=difference.message,
        frame=index,
        expected=difference.expected,
        found=difference.found,
    )


def _pose_reason(expected: Expected, index: int, told: ToldFrame) -> Reason:
    pose, before = expected.poses[index], expected.poses[index - 1] if index else None
    drawn = expected.drawn(told)
    if told.place not in {None, (pose.x, pose.y)}:
        if drawn and (drawn.x, drawn.y) == (pose.x, pose.y):
            words = f"your map shows the solver at {at((pose.x, pose.y))}, which is right; your position line says"
            return Reason("position-line", f"{words} {told.place[0]},{told.place[1]}")
        return explain_place(expected.maze, before, pose, told.place)
    assert told.facing is not None  # the pose differs, and not by its place
    if drawn and drawn.facing == pose.facing:
        words = f"your map shows {drawn.facing.arrow!r}, which is right ({pose.facing}); your direction line says"
        return Reason("direction-line", f"{words} {told.facing}")
    return explain_facing(expected.maze, before, pose, told.facing)


def _shown(reason: Reason, expected: Expected, index: int, told: ToldFrame) -> Fault:
    """Show the line that proves it."""
    if index >= len(expected.poses):
        return Fault(kind=reason.kind, words=reason.words, frame=index, expected=MESSAGE, found=told.position.text)
    pose, picture = expected.poses[index], expected.picture(index)
    if expected.has_pose(index, told):
        rows = zip_longest(picture, told.rows, fillvalue="")
        row, drawn = next(((one, other) for one, other in rows if one != other), ("", ""))
        return Fault(kind=reason.kind, words=reason.words, frame=index, expected=row, found=drawn)
    is_place = told.place != (pose.x, pose.y)
    line, found = (position_line(pose), told.position) if is_place else (direction_line(pose), told.direction)
    return Fault(kind=reason.kind, words=reason.words, frame=index, expected=line, found=found.text)


def _ended(expected: Expected, output: Output) -> Fault:
    count = len(output.frames)
    closing = output.tail[-1].text if output.tail else ""
    if not count:
        words = "your output has no frame: print the map, the position and the direction before the first move"
        return Fault(kind="no-answer", words=words, frame=0, expected=position_line(expected.poses[0]), found=closing)
    last, following = expected.poses[count - 1], expected.poses[count]
    place = f"at {at((last.x, last.y))}, facing {last.facing}"
    not_yet = _not_yet(expected, last, following)
    words = f"your output stops after {count} of {len(expected.poses)} frames, {place}; {not_yet}"
    if count == len(expected.poses) - 1:
        words = f"the last frame is missing: the one at {at((following.x, following.y))} that faces E is printed, too"
    return Fault(kind="ended-early", words=words, frame=count, expected=position_line(following), found=closing)


def _not_yet(expected: Expected, last: Pose, following: Pose) -> str:
    end = expected.maze.end
    if following.facing is last.facing.back:
        return f"the next square ({at(last.ahead)}) is a dead end, where the rule turns back and walks on"
    if abs(end[0] - last.x) + abs(end[1] - last.y) == 1:
        return f"E is beside it, at {at(end)}, but not ahead; the walk ends only when the solver faces E"
    return f"the square ahead ({at(last.ahead)}) isn't E; the walk ends only when the solver faces E"


def _goes_on(expected: Expected, told: ToldFrame) -> Fault:
    last, end = len(expected.poses) - 1, expected.maze.end
    over = f"this one is too many: in frame {last} the solver faces E at {at(end)}, so the walk is over"
    if told.place == end:
        kind, words = "stepped-on-end", f"{over}; your solver steps on E"
    else:
        kind, words = "goes-on", f"{over}; your solver goes on"
    return Fault(kind=kind, words=words, frame=last + 1, expected=MESSAGE, found=told.position.text)
