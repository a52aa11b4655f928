"""The rule's walk, frame by frame, in the form in which a student's frames are compared."""

from __future__ import annotations

from functools import cached_property
from itertools import islice

from reference.lefthand.maze import Facing, Maze, Pose
from reference.lefthand.output import ToldFrame, shape_of
from reference.lefthand.transcript import pictures
from reference.lefthand.walk import walk

Picture = tuple[str, ...]
_MOST_BYTES = 16 << 20
"""What the pictures of one walk may take."""
_ARROWS = {facing.arrow: facing for facing in Facing}


class Expected:
    """The poses of the whole walk, and the pictures of all frames that fit into the memory."""

    def __init__(self, maze: Maze) -> None:
        self.maze = maze
        self.poses = list(walk(maze))

    @cached_property
    def pictures(self) -> list[Picture]:
        """The maps of the first frames; those of one walk share the rows that don't change."""
        most = _MOST_BYTES // (2 * self.maze.width + 8 * len(self.maze.rows))
        return list(islice(pictures(self.maze), most))

    @cached_property
    def heights(self) -> list[int]:
        """The number of each row of a picture: empty rows aren't compared, so they are in none."""
        return [y for y, row in enumerate(self.maze.rows) if row.strip()]

    @cached_property
    def _shape(self) -> Picture:
        return shape_of(self.pictures[0])

    def picture(self, index: int) -> Picture:
        return next(islice(pictures(self.maze), index, None))

    def agrees(self, index: int, told: ToldFrame) -> bool:
        """Tell whether a frame is the rule's, in all that it says."""
        return self.has_pose(index, told) and self.has_picture(index, told)

    def has_pose(self, index: int, told: ToldFrame) -> bool:
        if not 0 <= index < len(self.poses):
            return False
        pose = self.poses[index]
        return told.place in {None, (pose.x, pose.y)} and told.facing in {None, pose.facing}

    def has_picture(self, index: int, told: ToldFrame) -> bool:
        if index >= len(self.pictures):  # beyond what is kept only the lines are compared
            return index < len(self.poses)
        return index >= 0 and told.rows in {(), self.pictures[index]}

    def drawn(self, told: ToldFrame) -> Pose | None:
        """Give the pose that a frame's map shows; None unless it shows one arrow, on a way of the map."""
        if shape_of(told.rows) != self._shape:
            return None
        arrows = [(x, y, row[x]) for y, row in enumerate(told.rows) for x in range(len(row)) if row[x] in _ARROWS]
        if len(arrows) != 1:
            return None
        x, y, letter = arrows[0]
        return Pose(x, self.heights[y], _ARROWS[letter])
