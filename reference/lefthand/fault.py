"""What the first wrong frame of a walk breaks."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from grader.model.kit import WithheldError
from grader.model.result import Suspicion
from reference.lefthand.lines import MESSAGE, direction_line, position_line
from reference.lefthand.maze import BLANK, END, LEFT_BEHIND, START, Facing, Maze, Pose
from reference.lefthand.output import shape_of
from reference.lefthand.suspects import suspect
from reference.lefthand.turn import Reason, at, explain_facing, explain_place, explain_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reference.lefthand.output import Expected, Output, ToldFrame

_BY_RULE = frozenset({"position", "wrong-turn", "first-facing"})
_SQUARES = "Spaces are squares, too: print each one between others"


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


_ARROWS = {facing.arrow for facing in Facing}


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    message: str
    expected: str
    found: str


def explain_picture(maze: Maze, pose: Pose, expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Compare maps without empty rows and trailing spaces; None when nothing differs."""
    if list(expected) == list(found):
        return None
    if whole := _as_a_whole(expected, found):
        return whole
    heights = [y for y, row in enumerate(maze.rows) if row.strip()]
    for y, row, drawn in zip(heights, expected, found, strict=False):
        if row != drawn:
            return _explain_row(maze, pose, y, row=row, drawn=drawn)
    message = f"the map has {len(expected)} rows that aren't empty, your frame draws {len(found)}"
    return Difference(kind="drawing", message=message, expected=f"{len(expected)} rows", found=f"{len(found)} rows")


def explain_shape(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise a map that was turned or lost spaces as a whole, wherever its arrow and dots are."""
    shapes = shape_of(expected), shape_of(found)
    whole = _as_a_whole(*shapes) if shapes[0] != shapes[1] else None
    if whole is None:
        return None
    row, drawn = next(((one, other) for one, other in zip(expected, found, strict=False) if one != other), ("", ""))
    return Difference(kind=whole.kind, message=whole.message, expected=row, found=drawn)


def _as_a_whole(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise a map that is right but for one thing that was done to all of it."""
    width = max(map(len, expected))
    columns = ("".join(column).rstrip() for column in zip_longest(*expected, fillvalue=BLANK))
    changed: dict[str, tuple[str, Iterable[str]]] = {
        "your map is transposed: its rows are printed as columns": ("transposed", filter(None, columns)),
        "your map is upside down: row 0 is printed first": ("upside-down", reversed(expected)),
        "your rows are printed from right to left": (
            "mirrored",
            (row.ljust(width)[::-1].rstrip() for row in expected),
        ),
        f"your rows lose the spaces at their beginning. {_SQUARES}": ("lost-spaces", map(str.lstrip, expected)),
        f"your rows lose their spaces. {_SQUARES}": ("lost-spaces", (row.replace(BLANK, "") for row in expected)),
        f"you print a space between squares. {_SQUARES}": ("spaces-between", map(" ".join, expected)),
        "you print a tab between the squares of a row": ("tabs", map("\t".join, expected)),
        "the map is drawn twice in one frame": ("drawn-twice", [*expected, *expected]),
    }
    fitting = {kind: message for message, (kind, rows) in changed.items() if list(rows) == list(found)}
    if len(fitting) > 1:
        fitting = {"lost-spaces": f"your rows have lost or gained spaces. {_SQUARES}"}
    for kind, message in fitting.items():
        return Difference(kind=kind, message=message, expected=expected[0], found=found[0])
    return _with_more(expected, found)


def _with_more(expected: Sequence[str], found: Sequence[str]) -> Difference | None:
    """Recognise lists that were printed, and what is printed before each row."""
    if len(expected) != len(found):
        return None
    if all(drawn.startswith("[") and drawn.endswith("]") for drawn in found):
        message = "you print the lists themselves; print ''.join(row) for each row"
        return Difference(kind="printed-lists", message=message, expected=expected[0], found=found[0])
    if all(len(drawn) > len(row) and drawn.endswith(row) for row, drawn in zip(expected, found, strict=True)):
        message = "something is printed before each row of the map"
        return Difference(kind="noise", message=message, expected=expected[0], found=found[0])
    return None


def _explain_row(maze: Maze, pose: Pose, y: int, *, row: str, drawn: str) -> Difference:
    kind, message = "drawing", f"row {y} of the map must be {row!r}; you print {drawn!r}"
    if "\t" in drawn and row.split() == drawn.split():
        kind, message = "tabs", f"row {y} of the map has a tab; print spaces"
    elif row.replace(BLANK, "") == drawn.replace(BLANK, ""):
        kind, message = "lost-spaces", f"row {y} of the map has lost or gained spaces. {_SQUARES}"
    elif len(drawn) > len(row) and drawn.endswith(row):
        kind, message = "noise", f"{drawn.removesuffix(row)!r} is printed before row {y} of the map"
    elif abs(len(row) - len(drawn)) <= 1:
        x = next(x for x in range(max(len(row), len(drawn))) if row[x : x + 1] != drawn[x : x + 1])
        kind, message = _explain_square(maze, pose, (x, y), row[x : x + 1] or BLANK, drawn[x : x + 1] or BLANK)
    elif drawn and row.startswith(drawn):
        message = (
            f"row {y} of the map goes on to column {len(row) - 1}; you print it up to column {len(drawn) - 1} only"
        )
    return Difference(kind=kind, message=message, expected=row, found=drawn)


def _explain_square(maze: Maze, pose: Pose, place: tuple[int, int], wanted: str, drawn: str) -> tuple[str, str]:
    where = at(place)
    if place == (pose.x, pose.y):
        kind = "start-drawn" if drawn == START else "arrow"
        return (
            kind,
            f"the solver is at {where} facing {pose.facing}, so {wanted!r} is drawn there; you draw {drawn!r}",
        )
    if wanted == LEFT_BEHIND and drawn == START:
        return "start-drawn", f"S at {where} was left behind, so it is drawn '.'; S itself is never drawn"
    if wanted == LEFT_BEHIND:
        kind = "arrow-stays" if drawn in _ARROWS else "no-dot"
        return kind, f"the solver has been at {where} and left it, so '.' is drawn there; you draw {drawn!r}"
    if place == maze.end:
        return "end-lost", f"E at {where} stays drawn to the end; you draw {drawn!r}"
    if drawn == END:
        return "drawing", f"at {where} the map has {wanted!r}; you draw E there"
    if drawn in _ARROWS:
        return "arrow", f"the solver is at {at((pose.x, pose.y))}, but an arrow {drawn!r} is drawn at {where}"
    if drawn == LEFT_BEHIND:
        return "dot-early", f"the solver hasn't been at {where} yet, so {wanted!r} stays there; you draw '.'"
    return "drawing", f"at {where} the map has {wanted!r}; you draw {drawn!r}"
