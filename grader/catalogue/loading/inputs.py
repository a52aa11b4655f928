"""Finds and reads the files and inputs that a case names, never outside the assignment's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import read_puzzle
from grader.catalogue.placed_yaml.messages import did_you_mean, quoted
from grader.catalogue.placed_yaml.nodes import Place, Scalar
from grader.catalogue.placed_yaml.source import decode_text, read_bytes, shown
from grader.model.kit import PuzzleError

if TYPE_CHECKING:
    from grader.catalogue.placed_yaml.nodes import Node
    from grader.catalogue.placed_yaml.source import Complaints, Faults, Source
    from grader.model.kit import Kit


def path_below(folder: Path, text: str, *, node: Node, complaints: Complaints) -> Path | None:
    """Return the absolute path of a file below the folder, there or not; a fault when it lies elsewhere."""
    asked = PurePosixPath(text)
    inside = bool(text) and not asked.is_absolute() and ".." not in asked.parts and not set("\\\0") & set(text)
    path = folder.absolute() / asked
    try:
        if inside and path.resolve().is_relative_to(folder.resolve()):
            return path
    except (OSError, RuntimeError):
        complaints.at(node, f"the path {quoted(text)} can't be followed")
        return None
    hint = "write it from the folder of assignment.yaml down, with /; a link may not lead out either"
    complaints.at(node, f"the path {quoted(text)} leads out of the assignment's folder", hint=hint)
    return None


def named_file(folder: Path, text: str, *, node: Node, complaints: Complaints) -> Path | None:
    """Return the absolute path of a file below the folder; a fault when it isn't there or lies elsewhere."""
    path = path_below(folder, text, node=node, complaints=complaints)
    try:
        if path is None or path.is_file():
            return path
        if path.is_dir():
            complaints.at(node, f"{quoted(text)} is a folder, not a file")
        else:
            complaints.at(node, f"there is no file {quoted(text)}", hint=did_you_mean(text, _beside(folder, path)))
    except OSError as error:
        complaints.at(node, f"the file {quoted(text)} can't be looked up: {error.strerror}")
    return None


def _beside(folder: Path, path: Path) -> list[str]:
    """Name up to fifty files that are there, as they would be written."""
    if not path.parent.is_dir():
        return []
    return [each.relative_to(folder.absolute()).as_posix() for each in path.parent.iterdir() if each.is_file()][:50]


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """A case's input: the text, the bytes, and where it stands."""

    text: str
    raw: bytes
    node: Scalar | None = None
    path: Path | None = None


def inline_input(node: Scalar, complaints: Complaints) -> Input:
    """Take the text from the YAML itself."""
    refuse_cut_block(node, complaints)
    return Input(text=node.text, raw=node.text.encode(), node=node)


def file_input(path: Path, faults: Faults) -> Input | None:
    """Take the very bytes of a file."""
    raw = read_bytes(path, faults)
    text = None if raw is None else decode_text(path, raw, faults)
    if raw is None or text is None:
        return None
    return Input(text=text.removeprefix("\ufeff"), raw=raw, path=path)


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
    """Return the indentation indicator: columns of the block beyond those of its key."""
    return max(1, min(9, indent - (len(opening) - len(opening.lstrip(" -")))))


def check_input(given: Input, kit: Kit, *, complaints: Complaints) -> Any:
    """Let the kit read it; a fault at the line and column that the kit names, None then."""
    try:
        return read_puzzle(kit, given.text)
    except PuzzleError as error:
        _complain(given, error, complaints)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a kit is other people's code
        crash = PuzzleError(f"the kit fails on this input: {type(error).__name__}: {error}")
        _complain(given, crash, complaints)
    return None


def _complain(given: Input, error: PuzzleError, complaints: Complaints) -> None:
    place = Place(max(1, error.line), max(1, error.column))
    if given.path is not None:
        complaints.faults.add(shown(given.path), error.message, place=place, hint=error.hint)
    elif given.node is not None:
        exact = place_inside(given.node, place, complaints.source)
        inside = "" if exact else f"line {place.line}, column {place.column} of the input: "
        complaints.spot(exact or given.node.start, inside + error.message, hint=error.hint)


def place_inside(node: Scalar, place: Place, source: Source) -> Place | None:
    """Return the place in the file of a place in the scalar's text; None where escapes or folds hide it."""
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
