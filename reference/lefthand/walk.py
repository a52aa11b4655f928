"""The left-hand rule, one pose after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.lefthand.maze import Facing, Maze, Pose

if TYPE_CHECKING:
    from collections.abc import Iterator


def walk(maze: Maze) -> Iterator[Pose]:
    """Give every pose from the start to the one that faces the end."""
    pose = first_pose(maze)
    yield pose
    while pose.ahead != maze.end:
        pose = move(maze, pose)
        yield pose


def first_pose(maze: Maze) -> Pose:
    """Stand on the start, facing north or the first way left of it that can be walked."""
    x, y = maze.start
    return next(pose for pose in (Pose(x, y, facing) for facing in Facing) if maze.is_walkable(*pose.ahead))


def move(maze: Maze, pose: Pose) -> Pose:
    """Step forward, then turn: left if that can be walked, else straight, else right, else back."""
    x, y = pose.ahead
    heading = pose.facing
    turns = (heading.left, heading, heading.right, heading.back)
    return next(landed for landed in (Pose(x, y, facing) for facing in turns) if maze.is_walkable(*landed.ahead))
