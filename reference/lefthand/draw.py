"""The maze, the rule's walk and the student's as a scene."""

from __future__ import annotations

from msgspec.structs import replace

from grader.model.scene import Frame, Mark, Scene, Square, Track
from reference.lefthand.claim import Claim, first_difference
from reference.lefthand.maze import BLANK, END, START, Facing, Maze, Pose
from reference.lefthand.walk import walk

MOST_FRAMES = 20_000
"""Of one walk; the page plays so many smoothly and stays a few hundred kilobytes."""
_BEFORE = MOST_FRAMES // 2
_LOOKS = {START: "square-blue", END: "square-green"}
_DID = {"left": "turned left", "straight on": "went straight on", "right": "turned right", "back": "turned back"}


def draw(maze: Maze, claim: Claim | None) -> Scene:
    """Draw both walks as deltas; long ones are cut to a stretch around the first difference."""
    expected = list(walk(maze))
    difference = first_difference(claim.poses, expected) if claim else None
    first = max(0, difference - _BEFORE) if difference is not None else 0
    tracks = [_track(maze, "the left-hand rule", expected, first=first)]
    if claim:
        tracks.append(_yours(maze, claim, first=first, fork=difference))
    return Scene(
        rows=len(maze.rows),
        columns=maze.width,
        squares=_squares(maze),
        tracks=tuple(tracks),
        difference=difference,
        title="The left-hand rule",
        hand=True,
    )


def _yours(maze: Maze, claim: Claim, *, first: int, fork: int | None) -> Track:
    """Draw the student's walk; of one that goes in a circle behind the fork, the circle and once round again."""
    poses = list(claim.poses)
    found = circle(poses, fork)
    end = len(poses) if found is None else 2 * found[1] - found[0] + 1
    track = _track(maze, "your solver", poses[:end], first=first, fork=fork)
    cut = len(poses[end:]) + claim.omitted
    if found is None or not cut:
        return replace(track, omitted=track.omitted + cut)
    *before, last = track.frames
    again = "it stays here" if found[1] == found[0] + 1 else f"frames {found[0]} to {found[1]} come again and again"
    frames = (*before, replace(last, caption=f"{last.caption}. From here on {again}"))
    return replace(track, frames=frames, omitted=track.omitted + cut)


def circle(poses: list[Pose], fork: int | None) -> tuple[int, int] | None:
    """Give the first two frames behind the fork with the same pose, if the walk repeats itself from there on."""
    seen: dict[Pose, int] = {}
    for number in range(len(poses) if fork is None else fork, len(poses)):
        before = seen.setdefault(poses[number], number)
        if before != number:
            size = number - before
            return (before, number) if poses[before:-size] == poses[number:] else None
    return None


def _squares(maze: Maze) -> tuple[Square, ...]:
    return tuple(
        Square(row=y, column=x, look=_LOOKS[character], text=character)
        if character in _LOOKS
        else Square(row=y, column=x)
        for y, row in enumerate(maze.rows)
        for x, character in enumerate(row)
        if character != BLANK
    )


def _track(maze: Maze, title: str, poses: list[Pose], *, first: int, fork: int | None = None) -> Track:
    first = min(first, len(poses) - 1)
    kept = poses[first : first + MOST_FRAMES]
    trails = [_trail(maze, poses[:first]), *(_trail(maze, [pose]) for pose in kept[:-1])]
    frames = tuple(
        Frame(at=_place(maze, pose), facing=pose.facing, marks=marks, caption=_caption(maze, poses, number, fork))
        for number, (pose, marks) in enumerate(zip(kept, trails, strict=True), start=first)
    )
    return Track(title=title, frames=frames, first=first, omitted=len(poses) - len(kept))


def _trail(maze: Maze, poses: list[Pose]) -> tuple[Mark, ...]:
    places = {place for pose in poses if (place := _place(maze, pose))}
    return tuple(Mark(row, column, "trail") for row, column in sorted(places))


def _place(maze: Maze, pose: Pose) -> tuple[int, int] | None:
    """Give row and column; None where a student's solver has left the map."""
    is_inside = 0 <= pose.y < len(maze.rows) and 0 <= pose.x < maze.width
    return (pose.y, pose.x) if is_inside else None


def _caption(maze: Maze, poses: list[Pose], number: int, fork: int | None) -> str:
    """Say what the rule says here; from the fork on, what the student's solver did."""
    pose = poses[number]
    where = f"column {pose.x}, row {pose.y}"
    if number == 0:
        return f"{where}: first it faces {pose.facing}"
    before = poses[number - 1]
    way = _way(before.facing, pose.facing)
    if fork is None or number < fork:
        return f"{where}: {_because(before.facing, way)}"
    if (pose.x, pose.y) != before.ahead:
        return f"{where}, facing {pose.facing}: that is no step {before.facing}"
    is_open = maze.is_walkable(*Pose(pose.x, pose.y, before.facing.left).ahead)
    left = f"left ({before.facing.left}) is {'open' if is_open else 'closed'}"
    return f"{where}: {left}; yours {_DID[way]} ({pose.facing})"


def _way(heading: Facing, facing: Facing) -> str:
    return {heading.left: "left", heading: "straight on", heading.right: "right", heading.back: "back"}[facing]


def _because(heading: Facing, way: str) -> str:
    """Give the rule's reason to take a way, with the points of the compass."""
    return {
        "left": f"left ({heading.left}) is open: turn left",
        "straight on": f"left ({heading.left}) is closed: straight on ({heading})",
        "right": f"left ({heading.left}) and straight on ({heading}) are closed: turn right ({heading.right})",
        "back": f"a dead end: turn back ({heading.back})",
    }[way]
