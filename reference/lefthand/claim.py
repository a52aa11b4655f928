"""What a student's output claims, and whether it is the walk."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from grader.model.result import Mismatch
from reference.lefthand.lines import MESSAGE
from reference.lefthand.maze import Facing, Maze, Pose
from reference.lefthand.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.run import RunRecord, Stream

_GAP = r"\s{0,40}+"
"""Blanks between two words: bounded and never given back, so that a line of blanks costs no more than its length."""
POSITION = re.compile(rf"position{_GAP}:?{_GAP}\(?{_GAP}(-?\d{{1,9}}+){_GAP},{_GAP}(-?\d{{1,9}}+)", re.IGNORECASE)
DIRECTION = re.compile(rf"direction{_GAP}:?{_GAP}([A-Za-z]{{1,20}}+|[\^<>])", re.IGNORECASE)
_FACINGS = {facing.value: facing for facing in Facing} | {facing.arrow: facing for facing in Facing}
_MOST_POSES = 50_000
_LONGEST_LINE = 10_000


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """The poses that the output tells, without its drawings."""

    poses: tuple[Pose, ...]
    is_solved: bool
    omitted: int = 0
    """Poses beyond the bound, counted but not kept."""


def read(record: RunRecord) -> Claim | None:
    """Read the poses out of the output; None when there is none."""
    poses: list[Pose] = []
    omitted = 0
    place: tuple[int, int] | None = None
    is_solved = False
    for line in _lines(record.stdout):
        if found := POSITION.search(line):
            place = (int(found[1]), int(found[2]))
        elif place is not None and (facing := read_facing(line)):
            if len(poses) < _MOST_POSES:
                poses.append(Pose(*place, facing))
            else:
                omitted += 1
            place = None
        elif MESSAGE in line:
            is_solved = True
    return Claim(poses=tuple(poses), is_solved=is_solved, omitted=omitted) if poses else None


def read_facing(line: str) -> Facing | None:
    """Read a direction line: `N`, `north` or an arrow."""
    found = DIRECTION.search(line)
    return _FACINGS.get(found[1][0].upper(), _FACINGS.get(found[1])) if found else None


def check(maze: Maze, claim: Claim | None) -> Mismatch | None:
    """Compare the poses with the rule's; drawings are the transcript judge's."""
    if claim is None:
        return Mismatch(kind="no-answer", message="Your program printed no frame with a position and a direction.")
    expected = list(walk(maze))
    step = first_difference(claim.poses, expected)
    if step is None:
        return (
            None if claim.is_solved else Mismatch(kind="no-message", message=f"Your program never says {MESSAGE!r}.")
        )
    wanted = _told(expected[step]) if step < len(expected) else MESSAGE
    found = _told(claim.poses[step]) if step < len(claim.poses) else "nothing"
    return Mismatch(
        kind="frame",
        where=f"frame {step}",
        message=f"frame {step}: the rule gives {wanted}; your solver tells {found}",
        expected=wanted,
        found=found,
        step=step,
    )


def first_difference(poses: tuple[Pose, ...], expected: list[Pose]) -> int | None:
    """Give the number of the first pose that differs, is missing or is too many."""
    for step, (one, other) in enumerate(zip(poses, expected, strict=False)):
        if one != other:
            return step
    return None if len(poses) == len(expected) else min(len(poses), len(expected))


def _told(pose: Pose) -> str:
    return f"({pose.x}, {pose.y}) facing {pose.facing}"


def _lines(stream: Stream) -> Iterator[str]:
    rest = b""
    for chunk in stream.chunks():
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line[:_LONGEST_LINE].decode("utf-8", "replace")
        rest = rest[:_LONGEST_LINE]
    yield rest.decode("utf-8", "replace")
