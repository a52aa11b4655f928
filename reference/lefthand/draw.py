"""The maze, the rule's walk and the student's as a scene."""

from __future__ import annotations

from grader.model.scene import Frame, Mark, Scene, Square, Track
from reference.lefthand.claim import Claim, first_difference
from reference.lefthand.maze import BLANK, END, START, Maze, Pose
from reference.lefthand.walk import walk

MOST_FRAMES = 20_000
"""Of one walk; the page plays so many smoothly and stays a few hundred kilobytes."""
_BEFORE = MOST_FRAMES // 2
_LOOKS = {START: "square-blue", END: "square-green"}


def draw(maze: Maze, claim: Claim | None) -> Scene:
    """Draw both walks as deltas; long ones are cut to a stretch around the first difference."""
    expected = list(walk(maze))
    difference = first_difference(claim.poses, expected) if claim else None
    first = max(0, difference - _BEFORE) if difference is not None else 0
    tracks = [_track(maze, "the left-hand rule", expected, first=first)]
    if claim:
        tracks.append(_track(maze, "your solver", list(claim.poses), first=first, uncounted=claim.omitted))
    return Scene(
        rows=len(maze.rows),
        columns=maze.width,
        squares=_squares(maze),
        tracks=tuple(tracks),
        difference=difference,
        title="The left-hand rule",
    )


def _squares(maze: Maze) -> tuple[Square, ...]:
    return tuple(
        Square(row=y, column=x, look=_LOOKS[character], text=character)
        if character in _LOOKS
        else Square(row=y, column=x)
        for y, row in enumerate(maze.rows)
        for x, character in enumerate(row)
        if character != BLANK
    )


def _track(maze: Maze, title: str, poses: list[Pose], *, first: int, uncounted: int = 0) -> Track:
    first = min(first, len(poses) - 1)
    kept = poses[first : first + MOST_FRAMES]
    trails = [_trail(maze, poses[:first]), *(_trail(maze, [pose]) for pose in kept[:-1])]
    frames = tuple(
        Frame(at=_place(maze, pose), facing=pose.facing, marks=marks, caption=_caption(first + offset, pose))
        for offset, (pose, marks) in enumerate(zip(kept, trails, strict=True))
    )
    return Track(title=title, frames=frames, first=first, omitted=uncounted + len(poses) - len(kept))


def _trail(maze: Maze, poses: list[Pose]) -> tuple[Mark, ...]:
    places = {place for pose in poses if (place := _place(maze, pose))}
    return tuple(Mark(row, column, "trail") for row, column in sorted(places))


def _place(maze: Maze, pose: Pose) -> tuple[int, int] | None:
    """Give row and column; None where a student's solver has left the map."""
    is_inside = 0 <= pose.y < len(maze.rows) and 0 <= pose.x < maze.width
    return (pose.y, pose.x) if is_inside else None


def _caption(number: int, pose: Pose) -> str:
    return f"frame {number}: ({pose.x}, {pose.y}) facing {pose.facing}"
