"""Reads a case's input, and finds places inside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.faults import Complaints, Faults, Place
from grader.catalogue.nodes import Scalar
from grader.catalogue.source import decode_text, read_bytes, shown
from grader.model.kit import PuzzleError

if TYPE_CHECKING:
    from grader.catalogue.source import Source
    from grader.model.kit import Kit


class Maze(msgspec.Struct, frozen=True, kw_only=True):
    """A case's input: the text, the bytes, and where it stands."""

    text: str
    raw: bytes
    node: Scalar | None = None
    path: Path | None = None


def inline_maze(node: Scalar, complaints: Complaints) -> Maze:
    """Take the text from the YAML itself."""
    refuse_cut_block(node, complaints)
    return Maze(text=node.text, raw=node.text.encode(), node=node)


def file_maze(path: Path, faults: Faults) -> Maze | None:
    """Take the very bytes of a file."""
    raw = read_bytes(path, faults)
    text = None if raw is None else decode_text(path, raw, faults)
    if raw is None or text is None:
        return None
    return Maze(text=text.removeprefix("\ufeff"), raw=raw, path=path)


def refuse_cut_block(node: Scalar, complaints: Complaints) -> None:
    """Refuse a block after which a less indented `#` line follows: YAML takes it for a comment, people mean walls."""
    lines = complaints.source.lines()
    if node.style != "|" or node.end.line > len(lines):
        return
    line = lines[node.end.line - 1]
    opening = lines[node.start.line - 1]
    indent = len(line) - len(line.lstrip(" "))
    if line.lstrip(" ").startswith("#") and indent > len(opening) - len(opening.lstrip(" -")):
        message = "this line is no part of the block above it: the block's first line is indented deeper"
        hint = f"write `|{_width(opening, indent)}` instead of `|` where the block begins"
        complaints.spot(Place(node.end.line, indent + 1), message, hint=hint)


def _width(opening: str, indent: int) -> int:
    """Give the indentation indicator: columns of the block beyond those of its key."""
    return max(1, min(9, indent - (len(opening) - len(opening.lstrip(" -")))))


def check_maze(maze: Maze, kit: Kit, *, complaints: Complaints) -> Any:
    """Let the kit read it; a fault at the line and column that the kit names, None then."""
    try:
        return kit.parse(maze.text)
    except PuzzleError as error:
        _complain(maze, error, complaints)
    except Exception as error:  # noqa: BLE001 - a kit is other people's code
        crash = PuzzleError(f"the kit fails on this maze: {type(error).__name__}: {error}")
        _complain(maze, crash, complaints)
    return None


def _complain(maze: Maze, error: PuzzleError, complaints: Complaints) -> None:
    place = Place(max(1, error.line), max(1, error.column))
    if maze.path is not None:
        complaints.faults.add(shown(maze.path), error.message, place=place, hint=error.hint)
    elif maze.node is not None:
        exact = place_inside(maze.node, place, complaints.source)
        inside = "" if exact else f"line {place.line}, column {place.column} of the maze: "
        start = Place(maze.node.start.line, maze.node.start.column)
        complaints.spot(exact or start, inside + error.message, hint=error.hint)


def place_inside(node: Scalar, place: Place, source: Source) -> Place | None:
    """Give the place in the file of a place in the scalar's text; None where escapes or folds hide it."""
    if node.style == "|":
        lines, block = source.lines(), node.text.split("\n")
        for offset, text in enumerate(block):
            number = node.start.line + offset
            if text and number < len(lines) and lines[number].endswith(text):
                return Place(node.start.line + place.line, place.column + len(lines[number]) - len(text))
        return None
    quote = 1 if node.style else 0
    written = source.text[node.start.index + quote : node.start.index + quote + len(node.text)]
    if node.style != ">" and place.line == 1 and written == node.text:
        return Place(node.start.line, node.start.column + quote + place.column - 1)
    return None
