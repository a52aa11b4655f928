"""Finds the mistakes that explain an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.kit import WithheldError
from grader.model.result import Suspicion
from reference.alice import mistaken
from reference.alice.puzzle import UNSOLVABLE

if TYPE_CHECKING:
    from reference.alice.puzzle import Maze, Place, StartColour

Path = tuple["Place", ...]


def suspect(maze: Maze, start_colour: StartColour, path: Path | None) -> Suspicion | None:
    """Return the mistakes by which this path would be a shortest one; without a path, by which there is none."""
    fewest = mistaken.fewest_moves(maze, start_colour)
    moves = UNSOLVABLE if path is None else len(path) - 1
    names = tuple(
        name
        for name in fewest
        if name and fewest[name] == moves and (path is None or _explains(maze, start_colour, name, path))
    )
    return Suspicion(names=names) if fewest else None


def _explains(maze: Maze, start_colour: StartColour, name: str, path: Path) -> bool:
    """Follow the path by the mistaken rules; the students' kit has a table of where they lead."""
    try:
        return mistaken.explains(maze, start_colour, name, path)
    except WithheldError:
        return name in mistaken.wrong_paths(maze, start_colour).get(path, ())


def would_pass(maze: Maze, start_colour: StartColour, name: str) -> bool:
    """Tell whether a mistake leaves the fewest moves as they are."""
    fewest = mistaken.fewest_moves(maze, start_colour)
    return not fewest or fewest.get(name) == fewest[""]
