"""Finds what the rules would have done instead; says less where the solver is withheld."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar

from grader.model.kit import WithheldError
from reference.alice import solve, suspects
from reference.alice.walk import follow, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.alice.puzzle import Maze, Place
    from reference.alice.walk import Rules

Path = tuple["Place", ...]
T = TypeVar("T")


def shown_path(maze: Maze, rules: Rules) -> str:
    """Show a shortest path and the rules without which there is none, as far as they are known here."""
    try:
        path = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    needed = _told(lambda: suspects.Suspects(maze, rules.start_colour).of_no_path(path))
    squares = maze.rows * maze.columns
    many = f" (more moves than the maze has squares, {squares})" if rules.steps > squares else ""
    shown = f"{many}: {_annotated(maze, path, rules)}"
    needs = f"; among others they need {_listed(needed, 'and')}" if needed else ""
    return f"{shown}. Look for the first of these moves that your program doesn't make{needs}"


def shorter(maze: Maze, path: Path, rules: Rules) -> str:
    """Say where a shorter path leaves the student's, and which rules it needs."""
    try:
        best = solve.solve(maze, rules.start_colour).path
    except WithheldError:
        return ""
    is_deep = path in _told(lambda: [*suspects.depth_first(maze, rules.start_colour)])
    needed = _told(lambda: suspects.Suspects(maze, rules.start_colour).of_longer(path, best))
    pairs = enumerate(zip_longest(best, path))
    fork = next(number for number, (theirs, yours) in pairs if theirs != yours)
    here, there, yours = (rules.show(place) for place in (best[fork - 1], best[fork], path[fork]))
    leaves = f". Move {fork} of a shorter one goes from {here} to {there}, yours to {yours}"
    return f"{leaves}: {_annotated(maze, best, rules)}{_why_longer(needed, is_deep=is_deep)}"


def _why_longer(needed: list[str], *, is_deep: bool) -> str:
    deep = "searches depth first (from the newest square, not from the oldest)" if is_deep else ""
    found = [f"leaves out {_listed(needed, 'or')}"] if needed else []
    return (
        f". A program finds your path if, for example, it {', or if it '.join([*found, *filter(None, [deep])])}"
        if found or deep
        else ""
    )


def would_be_right(maze: Maze, path: Path, rules: Rules) -> str:
    """Say by which mistaken rules a wrong path would be right, if few explain it."""
    found = _told(lambda: suspects.Suspects(maze, rules.start_colour).of_illegal(path))
    try:
        if not found and _is_end_of(path, solve.solve(maze, rules.start_colour).path):
            return ". It is only the end of a path that visits the start again: the moves before that are missing"
    except WithheldError:
        return ""
    return f". It would be a shortest path if {', or if '.join(found)}" if found else ""


def _told(ask: Callable[[], list[T]]) -> list[T]:
    """Ask the suspects; the students' kit knows none."""
    try:
        return ask()
    except WithheldError:
        return []


def _is_end_of(path: Path, best: Path) -> bool:
    return 0 < len(path) < len(best) and best[-len(path) :] == path and path[0] == best[0]


def _listed(words: list[str], last: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _annotated(maze: Maze, path: Path, rules: Rules) -> str:
    """Write a path with each change of d."""
    trail = follow(maze, path, rules).d
    words = [rules.show(path[0])]
    for number, place in enumerate(path[1:], start=1):
        changed = trail[number] != trail[number - 1]
        words.append(f"{rules.show(place)}{f' ({maze.at(place).colour}, d = {trail[number]})' if changed else ''}")
    return written(words)
