"""Finds what the rules would have done instead; says less where the solver is withheld."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from grader.model.kit import WithheldError
from grader.model.result import Suspicion
from reference.alice import solve, suspects
from reference.alice.walk import follow, written

if TYPE_CHECKING:
    from reference.alice.puzzle import Maze, Place
    from reference.alice.walk import Rules

Path = tuple["Place", ...]


def shown_path(maze: Maze, rules: Rules) -> str:
    """Show a shortest path, as far as it is known here."""
    try:
        path = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    squares = maze.rows * maze.columns
    many = f" (more moves than the maze has squares, {squares})" if rules.steps > squares else ""
    return (
        f"{many}: {_annotated(maze, path, rules)}. Look for the first of these moves that your program doesn't make"
    )


def shorter(maze: Maze, path: Path, rules: Rules) -> str:
    """Say where a shorter path leaves the student's."""
    try:
        best = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    pairs = enumerate(zip_longest(best, path))
    fork = next(number for number, (theirs, yours) in pairs if theirs != yours)
    here, there, yours = (rules.show(place) for place in (best[fork - 1], best[fork], path[fork]))
    leaves = f". Move {fork} of a shorter one goes from {here} to {there}, yours to {yours}"
    return f"{leaves}: {_annotated(maze, best, rules)}"


def suspicion(maze: Maze, path: Path | None, rules: Rules) -> Suspicion | None:
    """Return the mistakes that explain a path; in the students' kit none is proved of a maze of one's own."""
    try:
        return suspects.suspect(maze, rules.start_colour, path)
    except WithheldError:
        return Suspicion(names=())


def only_the_end(maze: Maze, path: Path, rules: Rules) -> str:
    """Say that a wrong path lacks its beginning."""
    try:
        is_end = _is_end_of(path, solve.solve(maze, rules.start_colour).path)
    except WithheldError:
        return ""
    missing = "It is only the end of a path that visits the start again: the moves before that are missing"
    return f". {missing}" if is_end else ""


def _is_end_of(path: Path, best: Path) -> bool:
    return 0 < len(path) < len(best) and best[-len(path) :] == path and path[0] == best[0]


def _annotated(maze: Maze, path: Path, rules: Rules) -> str:
    """Write a path with each change of d."""
    trail = follow(maze, path, rules).d
    words = [rules.show(path[0])]
    for number, place in enumerate(path[1:], start=1):
        changed = trail[number] != trail[number - 1]
        words.append(f"{rules.show(place)}{f' ({maze.at(place).colour}, d = {trail[number]})' if changed else ''}")
    return written(words)
