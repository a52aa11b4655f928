"""The first wrong frame, explained in the terms of the maze; else what is wrong around the walk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.model.result import Mismatch
from grader.model.verdict import Ending
from reference.lefthand.fault import Fault, frame_fault, walk_fault
from reference.lefthand.lines import direction_line, position_line
from reference.lefthand.output import Expected, Output, ToldFrame, read_output
from reference.lefthand.transcript import pictures
from reference.lefthand.wording import Slip, closing_slip, difference_slip, misread_places, slips

if TYPE_CHECKING:
    from grader.model.kit import Divergence
    from reference.lefthand.maze import Maze, Pose

_LONGEST = 200
_ENDLESS = frozenset({Ending.CPU_LIMIT, Ending.WALL_LIMIT, Ending.OUTPUT_LIMIT})


def explain(maze: Maze, divergence: Divergence) -> Mismatch:
    """Look at all that was printed; at the frame alone where that is all there is, or it lies too far behind."""
    record, index = divergence.record, divergence.index or 0
    picture = next(pictures(maze))
    output = read_output(record.stdout.chunks(), picture) if record else None
    if record is None or output is None or (output.is_cut and index >= len(output.frames)):
        return _explain_alone(maze, divergence, read_output([str(divergence.found or "").encode()], picture))
    is_whole = record.ending is Ending.EXITED and not output.is_cut
    mismatch = _explain_all(maze, divergence, output, is_whole=is_whole)
    circle = _circle(output.frames) if record.ending in _ENDLESS else ""
    return replace(mismatch, message=f"{mismatch.message} {circle}".strip())


def _explain_all(maze: Maze, divergence: Divergence, output: Output, *, is_whole: bool) -> Mismatch:
    expected = Expected(maze)
    misread = misread_places(expected, output.frames)
    fault = walk_fault(expected, replace(output, frames=misread.frames), is_whole=is_whole)
    around = [misread.slip] if misread.slip else []
    around += slips(output, expected.poses if not (misread.slip or fault) else [])
    if fault is not None:
        return _wrong_walk(fault, around, expected, divergence, output)
    closing = closing_slip(output, len(expected.poses)) if is_whole else None
    around += [closing] if closing and closing.kind not in {slip.kind for slip in around} else []
    return _right_walk(around or [difference_slip(divergence)], is_whole=is_whole)


def _explain_alone(maze: Maze, divergence: Divergence, output: Output) -> Mismatch:
    expected, index = Expected(maze), divergence.index or 0
    told = output.frames[0] if output.frames else None
    fault = frame_fault(expected, index, told) if told and index < len(expected.poses) else None
    if fault is not None:
        return _mismatch(fault.kind, f"Frame {index}: {fault.words}.", fault)
    slip = replace(difference_slip(divergence), frame=index)
    return _mismatch(slip.kind, f"Frame {index}: {slip.words}.", slip)


def _wrong_walk(
    fault: Fault, around: list[Slip], expected: Expected, divergence: Divergence, output: Output
) -> Mismatch:
    also = f" Also, {around[0].words}." if around else ""
    message = f"Frame {fault.frame}: {fault.words}.{also}"
    mismatch = replace(_mismatch(fault.kind, message, fault), suspicion=fault.suspicion)
    if fault.frame == divergence.index or fault.frame >= min(len(expected.poses), len(output.frames)):
        return mismatch
    wanted = _text(expected.picture(fault.frame), expected.poses[fault.frame])
    told = output.frames[fault.frame]
    found = "\n".join([*told.rows, told.position.text, told.direction.text])
    return replace(mismatch, expected_text=wanted, found_text=found)


def _right_walk(around: list[Slip], *, is_whole: bool) -> Mismatch:
    first, *others = around
    but = f"The walk is right, but {first.words}." if is_whole else f"{first.words[0].upper()}{first.words[1:]}."
    also = f" Also, {others[0].words}." if others else ""
    return replace(_mismatch(first.kind, but + also, first), names_cause=True)


def _mismatch(kind: str, message: str, about: Fault | Slip) -> Mismatch:
    return Mismatch(
        kind=kind,
        where=f"frame {about.frame}",
        message=message,
        expected=about.expected,
        found=about.found.strip("\n")[:_LONGEST],
        step=about.frame,
    )


def _text(picture: tuple[str, ...], pose: Pose) -> str:
    return "\n".join([*picture, position_line(pose), direction_line(pose)])


def _circle(frames: tuple[ToldFrame, ...]) -> str:
    """Say where a state comes back: from then on nothing new can happen."""
    seen: dict[Pose, int] = {}
    for number, told in enumerate(frames):
        if told.pose is not None and (before := seen.setdefault(told.pose, number)) != number:
            if before == number - 1:
                return f"From frame {before} on your solver stays where it is."
            return (
                f"Frame {number} has the position and the direction of frame {before} again: "
                "your solver walks in a circle."
            )
    return ""
