"""Draw a maze, the reference's path and the claimed one as data."""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from grader.model.scene import Frame, Mark, Scene, Square, Track
from reference.alice.puzzle import OFFSETS
from reference.alice.walk import follow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reference.alice.puzzle import Maze, Place
    from reference.alice.walk import Rules

WHOLE = 10_000
"""Squares up to which a maze is drawn whole; of a larger one only the squares of the paths are."""
FRAMES = 2_000
_SIGNS = {"red": "+", "yellow": "−"}
"""What landing there does to d."""

_NAMES = {"target": "d squares along an arrow: a move may land here", "barred": "no move may land here"}

Path = tuple["Place", ...]


def draw(maze: Maze, expected: Path | None, claimed: Path | None, rules: Rules) -> Scene:
    """Give the scene; either path may be missing."""
    tracks = [_track("expected", maze, expected, rules)] if expected else []
    tracks += [_track("yours", maze, claimed, rules)] if claimed else []
    return Scene(
        rows=maze.rows,
        columns=maze.columns,
        squares=tuple(_squares(maze, {*(expected or ()), *(claimed or ()), maze.start, maze.goal})),
        tracks=tuple(tracks),
        difference=_difference(maze, expected, claimed, rules),
        label="d",
        names=_NAMES,
    )


def _squares(maze: Maze, touched: set[Place]) -> Iterable[Square]:
    places = [(row, column) for row in range(maze.rows) for column in range(maze.columns)]
    if len(places) > WHOLE:
        places = sorted(place for place in touched if maze.holds(place))
    for place in places:
        square = maze.at(place)
        colour = str(square.colour)
        yield Square(
            row=place[0],
            column=place[1],
            look=_look(maze, place, colour),
            text={maze.start: "S", maze.goal: "G"}.get(place, ""),
            corner="" if place == maze.goal else _SIGNS.get(colour, ""),
            arrows=tuple(str(arrow) for arrow in square.arrows),
            tone=colour,
        )


def _look(maze: Maze, place: Place, colour: str) -> str:
    if place == maze.goal:
        return "square-green"
    if place == maze.start:
        return "square-blue"
    if maze.is_blank(place):
        return "square-void"
    return f"square-{colour}" if colour in _SIGNS else "square"


def _track(title: str, maze: Maze, path: Path, rules: Rules) -> Track:
    walk = follow(maze, path, rules)
    first = walk.d[0] if walk.d else None
    start = _caption_first(rules.show(path[0]), first)
    frames = [Frame(at=path[0], label=_label(first), caption=start, hints=_landings(maze, path[0], first))]
    for number, (here, there) in enumerate(pairwise(path[: FRAMES + 1]), start=1):
        d = walk.d[number] if number < len(walk.d) else None
        caption, hints = f"move {number}: to {rules.show(there)}" + _told(maze, there, d), _landings(maze, there, d)
        if walk.slip and walk.slip.move == number:
            d = walk.d[-1]
            caption, hints = walk.slip.message, _instead(maze, here, there, d)
        marks = (Mark(*here, "trail"),) if maze.holds(here) else ()
        frames.append(Frame(at=there, label=_label(d), marks=marks, caption=caption, hints=hints))
    return Track(title=title, frames=tuple(frames), omitted=max(len(path) - len(frames), 0))


def _landings(maze: Maze, here: Place, d: int | None) -> tuple[Mark, ...]:
    """Mark the squares that d steps along each arrow lead to; one doesn't land on a blank one."""
    if not d or d < 1 or here == maze.goal or not maze.holds(here):
        return ()
    ways = (OFFSETS[arrow] for arrow in maze.at(here).arrows)
    places = ((here[0] + d * down, here[1] + d * right) for down, right in ways)
    return tuple(
        Mark(*place, "barred" if maze.is_blank(place) else "target") for place in places if maze.holds(place)
    )


def _instead(maze: Maze, here: Place, there: Place, d: int) -> tuple[Mark, ...]:
    """Mark where a wrong move could have landed, and cross where it did."""
    could = tuple(mark for mark in _landings(maze, here, d) if (mark.row, mark.column) != there)
    return (*could, Mark(*there, "barred")) if maze.holds(there) else could


def _told(maze: Maze, there: Place, d: int | None) -> str:
    """Say what d is after a move, and why it changed."""
    if d is None:
        return ""
    colour = maze.at(there).colour
    changed = colour.change and there != maze.goal
    return f"; {colour} {'adds 1' if colour.change > 0 else 'takes 1'}: d = {d}" if changed else f", d = {d}"


def _label(d: int | None) -> str:
    return "" if d is None else str(d)


def _caption_first(place: str, d: int | None) -> str:
    return f"start at {place}" + (f", d = {d}" if d is not None else "")


def _difference(maze: Maze, expected: Path | None, claimed: Path | None, rules: Rules) -> int | None:
    """Give the claimed path's first slip, else the first square in which it parts from the reference's."""
    if not claimed:
        return None
    slip = follow(maze, claimed, rules).slip
    if slip:
        return slip.move
    pairs = enumerate(zip_longest(expected or (), claimed))
    return next((number for number, (theirs, yours) in pairs if theirs != yours), None)
