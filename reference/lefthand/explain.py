"""The first wrong frame, explained in the terms of the maze."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.result import Mismatch
from reference.lefthand.frame import ToldFrame, read_frame
from reference.lefthand.maze import Maze, Pose
from reference.lefthand.rows import explain_picture
from reference.lefthand.transcript import MESSAGE, PROMPT, Drawing, direction_line, position_line
from reference.lefthand.turn import explain_facing, explain_place
from reference.lefthand.walk import walk

if TYPE_CHECKING:
    from grader.model.kit import Divergence

_LONGEST = 200


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """One frame as the rule gives it, with the pose before it."""

    maze: Maze
    index: int
    frames: int
    """How many the whole walk has."""
    pose: Pose
    before: Pose | None
    rows: tuple[str, ...]


def explain(maze: Maze, divergence: Divergence) -> Mismatch:
    """Say in which respect the student's frame differs, and what the rule says there."""
    index = divergence.index or 0
    moment = _moment(maze, index)
    text = "" if divergence.found is None else str(divergence.found)
    told = read_frame(text.replace("\r", "").replace("V", "v"))  # a judge that takes V for v may write V for both
    if index >= moment.frames:
        return _explain_end(moment, told, text)
    if told.place is None and told.facing is None:
        return _explain_missing(moment, told, text)
    return _explain_frame(moment, told, text)


def _moment(maze: Maze, index: int) -> Moment:
    drawing = Drawing(maze)
    rows: list[str] = []
    pose = before = None
    frames = 0
    for number, current in enumerate(walk(maze)):
        if number <= index:
            before, pose = pose, current
            drawing.show(current)
            rows = drawing.rows
        frames += 1
    assert pose is not None  # a walk has at least one frame
    return Moment(maze=maze, index=index, frames=frames, pose=pose, before=before, rows=tuple(rows))


def _explain_frame(moment: Moment, told: ToldFrame, text: str) -> Mismatch:
    where, pose, before = _where(moment), moment.pose, moment.before
    if told.place is not None and told.place != (pose.x, pose.y):
        message = f"{where}: {explain_place(moment.maze, before, pose, told.place)}"
        return _mismatch(moment, "position", message, expected=position_line(pose), found=told.position_line)
    if told.facing is not None and told.facing != pose.facing:
        message = f"{where}: {explain_facing(moment.maze, before, pose, told.facing)}"
        return _mismatch(moment, "direction", message, expected=direction_line(pose), found=told.direction_line)
    if difference := explain_picture(moment.maze, pose, moment.rows, told.rows):
        message = f"{where}: {difference.message}"
        return _mismatch(moment, "drawing", message, expected=difference.expected, found=difference.found)
    return _explain_wording(moment, told, text)


def _explain_wording(moment: Moment, told: ToldFrame, text: str) -> Mismatch:
    for line, found, note in (
        (position_line(moment.pose), told.position_line, "two blanks follow the colon, none the comma"),
        (direction_line(moment.pose), told.direction_line, "one blank follows the colon"),
    ):
        if line != found:
            said = f"you print {found!r}" if found else "yours is missing"
            message = f"{_where(moment)}: the line must be {line!r} ({note}); {said}"
            return _mismatch(moment, "format", message, expected=line, found=found)
    if moment.index == 0 and PROMPT.lower() not in text.lower():
        message = f"before the first frame your program must ask for the file with {PROMPT!r}"
        return _mismatch(moment, "no-prompt", message, expected=PROMPT, found=text)
    if "V" in text and moment.pose.facing.arrow == "v":
        message = f"{_where(moment)}: the arrow to the south must be 'v'; you draw 'V'"
        return _mismatch(moment, "drawing", message, expected="v", found="V")
    message = (
        f"{_where(moment)}: the walk is right, but blanks, empty lines or other text differ from what is expected"
    )
    return _mismatch(moment, "format", message, found=text)


def _explain_missing(moment: Moment, told: ToldFrame, text: str) -> Mismatch:
    so_far = f"{moment.index} of {moment.frames} frames"
    if moment.index == 0:
        message = "your output holds no frame: print the map, the position and the direction before the first move"
        return _mismatch(moment, "no-answer", message, found=text)
    last = moment.before
    assert last is not None  # only the first frame has none before it
    if told.has_message:
        ahead = _told(last.ahead)
        message = (
            f"your solver stops after {so_far}: at ({last.x}, {last.y}) facing {last.facing} the square ahead is "
            f"{ahead}, not E; the walk ends only when the solver faces E"
        )
    else:
        message = f"your transcript stops after {so_far}: the solver doesn't face E yet, so it must walk on"
    return _mismatch(moment, "ended-early", message, found=text)


def _explain_end(moment: Moment, told: ToldFrame, text: str) -> Mismatch:
    pose = moment.pose
    if told.place is not None or told.facing is not None:
        ahead = _told(pose.ahead)
        message = (
            f"your solver goes on after the end: in frame {moment.frames - 1} it faces E at {ahead}, "
            f"so the walk is over; E is never stepped on"
        )
        kind = "goes-on"
    elif told.has_message and moment.index == moment.frames and MESSAGE not in text:
        kind, message = "no-message", f"the closing line must read {MESSAGE!r} to the letter"
    elif moment.index > moment.frames or told.has_message:
        kind, message = "goes-on", f"the output must end with {MESSAGE!r}; yours holds more"
    else:
        kind, message = "no-message", f"all {moment.frames} frames are right, but {MESSAGE!r} doesn't follow them"
    return _mismatch(moment, kind, message, expected=MESSAGE, found=text)


def _mismatch(moment: Moment, kind: str, message: str, *, expected: str = "", found: str = "") -> Mismatch:
    return Mismatch(
        kind=kind,
        where=_where(moment),
        message=message,
        expected=expected,
        found=found.strip("\n")[:_LONGEST],
        step=min(moment.index, moment.frames - 1),
    )


def _where(moment: Moment) -> str:
    return f"frame {moment.index}"


def _told(place: tuple[int, int]) -> str:
    return f"({place[0]}, {place[1]})"
