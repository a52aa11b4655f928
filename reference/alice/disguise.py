"""Recognises a legal path that is only written down in another way than asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reference.alice.walk import follow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.alice.puzzle import Maze, Place
    from reference.alice.walk import Rules

Path = tuple["Place", ...]


class Disguise(msgspec.Struct, frozen=True, kw_only=True):
    """How a path is written, and the path that it would be."""

    kind: str
    words: str
    path: tuple[tuple[int, int], ...]


def unmask(maze: Maze, path: Path, rules: Rules) -> Disguise | None:
    """Give the way of writing in which the whole path is legal; None when there is none, or more than one."""
    legal = [known for known in _disguises(maze, path, rules) if _is_legal(maze, known.path, rules)]
    return legal[0] if len(legal) == 1 else None


def _is_legal(maze: Maze, path: Path, rules: Rules) -> bool:
    return path[-1] == maze.goal and follow(maze, path, rules).slip is None


def _disguises(maze: Maze, path: Path, rules: Rules) -> Iterator[Disguise]:
    yield Disguise(
        kind="path-backwards",
        words="your path is printed backwards: print it from the start to the goal",
        path=path[::-1],
    )
    yield Disguise(
        kind="exchanged-numbers",
        words=f"the two numbers of each square are exchanged: here squares are {rules.order}",
        path=tuple((column, row) for row, column in path),
    )
    yield Disguise(
        kind="counted-from-1",
        words="your squares are counted from 1: the square at the top left is (0, 0)",
        path=tuple((row - 1, column - 1) for row, column in path),
    )
    yield Disguise(
        kind="rows-from-below",
        words="your rows are counted from below: row 0 is the top row",
        path=tuple((maze.rows - 1 - row, column) for row, column in path),
    )
    yield Disguise(
        kind="start-missing",
        words=f"the start {rules.show(maze.start)} is missing: it belongs to the path",
        path=(maze.start, *path),
    )
    yield Disguise(
        kind="goal-missing",
        words=f"the goal {rules.show(maze.goal)} is missing: it belongs to the path",
        path=(*path, maze.goal),
    )
