"""Text to maze, and maze to the very same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.kit import PuzzleError
from reference.lefthand.maze import BLANK, END, START, Facing, Maze

if TYPE_CHECKING:
    from collections.abc import Iterator

_KNOWN = {"#", BLANK, START, END}
_NAMES = {START: "start 'S'", END: "end 'E'"}
_DESCRIBED = {"\t": "a tab", "\ufeff": "a byte order mark", "\r": "a lone carriage return"}

Place = tuple[int, int]


def parse(text: str) -> Maze:
    """Read a map; `PuzzleError` says where it breaks the homework's promises."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.split("\n")
    final_newline = len(lines) > 1 and not lines[-1]
    rows = tuple(line.removesuffix("\r") for line in (lines[:-1] if final_newline else lines))
    _refuse_unknown(rows)
    start, end = _only(rows, START), _only(rows, END)
    maze = Maze(rows=rows, start=start, end=end, newline=newline, final_newline=final_newline)
    _refuse_cycle(maze)
    _refuse_unreachable(maze)
    return maze


def write(maze: Maze) -> str:
    """Write the map as its file holds it."""
    return maze.newline.join(maze.rows) + (maze.newline if maze.final_newline else "")


def neighbours(maze: Maze, place: Place) -> Iterator[Place]:
    """Give the walkable squares beside a place."""
    for facing in Facing:
        step_x, step_y = facing.step
        beside = (place[0] + step_x, place[1] + step_y)
        if maze.is_walkable(*beside):
            yield beside


def _refuse_unknown(rows: tuple[str, ...]) -> None:
    for y, row in enumerate(rows):
        for x, character in enumerate(row):
            if character not in _KNOWN:
                described = _DESCRIBED.get(character, repr(character))
                raise PuzzleError(
                    f"{described} is no square of a map",
                    line=y + 1,
                    column=x + 1,
                    hint="a map holds only '#', blanks, one 'S' and one 'E'",
                )


def _only(rows: tuple[str, ...], mark: str) -> Place:
    places = [(x, y) for y, row in enumerate(rows) for x, character in enumerate(row) if character == mark]
    if not places:
        raise PuzzleError(f"the map has no {_NAMES[mark]}", hint="a map needs exactly one 'S' and one 'E'")
    if len(places) > 1:
        x, y = places[1]
        first_x, first_y = places[0]
        raise PuzzleError(
            f"the map has a second {_NAMES[mark]}",
            line=y + 1,
            column=x + 1,
            hint=f"the first stands in line {first_y + 1}, column {first_x + 1}",
        )
    return places[0]


def _refuse_cycle(maze: Maze) -> None:
    parent: dict[Place, Place | None] = {}
    for y, row in enumerate(maze.rows):
        for x in range(len(row)):
            if maze.is_walkable(x, y) and (x, y) not in parent:
                _grow_tree(maze, (x, y), parent)


def _grow_tree(maze: Maze, root: Place, parent: dict[Place, Place | None]) -> None:
    parent[root] = None
    waiting = [root]
    while waiting:
        place = waiting.pop()
        for beside in neighbours(maze, place):
            if beside == parent[place]:
                continue
            if beside in parent:
                raise PuzzleError(
                    f"the walkways form a loop through ({beside[0]}, {beside[1]})",
                    line=beside[1] + 1,
                    column=beside[0] + 1,
                    hint="the rule is promised a map without loops; two rows of '#' side by side are one too",
                )
            parent[beside] = place
            waiting.append(beside)


def _refuse_unreachable(maze: Maze) -> None:
    reached = {maze.start}
    waiting = [maze.start]
    while waiting:
        for beside in neighbours(maze, waiting.pop()):
            if beside not in reached:
                reached.add(beside)
                waiting.append(beside)
    if maze.end not in reached:
        x, y = maze.end
        raise PuzzleError(
            "no way leads from the start 'S' to the end 'E'",
            line=y + 1,
            column=x + 1,
            hint="ways go north, west, south and east, never diagonally",
        )
