"""The walk as the program prints it, line by line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.lefthand.lines import MESSAGE, PROMPT, direction_line, position_line
from reference.lefthand.maze import LEFT_BEHIND, Maze, Pose
from reference.lefthand.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator


class Drawing:
    """The map as it looks now: one changing picture, never a copy per frame."""

    def __init__(self, maze: Maze) -> None:
        self.rows = maze.padded()
        self._here: tuple[int, int] | None = None

    def show(self, pose: Pose) -> None:
        """Put the solver's arrow down and turn the square it left into a dot."""
        if self._here is not None:
            self._put(*self._here, LEFT_BEHIND)
        self._put(pose.x, pose.y, pose.facing.arrow)
        self._here = (pose.x, pose.y)

    def _put(self, x: int, y: int, character: str) -> None:
        row = self.rows[y]
        self.rows[y] = row[:x] + character + row[x + 1 :]


def transcript(maze: Maze) -> Iterator[str]:
    """Give the expected output, one line at a time."""
    drawing = Drawing(maze)
    yield PROMPT
    for pose in walk(maze):
        drawing.show(pose)
        yield from drawing.rows
        yield ""
        yield position_line(pose)
        yield direction_line(pose)
        yield ""
    yield MESSAGE


def pictures(maze: Maze) -> Iterator[tuple[str, ...]]:
    """Give the map of each frame, without empty rows and trailing spaces."""
    drawing = Drawing(maze)
    drawn: list[str] = []
    bare: list[str] = []
    for pose in walk(maze):
        drawing.show(pose)
        if not drawn:
            drawn, bare = drawing.rows.copy(), [row.rstrip() for row in drawing.rows]
        for y, row in enumerate(drawing.rows):
            if row is not drawn[y]:
                drawn[y], bare[y] = row, row.rstrip()
        yield tuple(filter(None, bare))
