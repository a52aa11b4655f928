"""Finds files that YAML names, never outside the assignment's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from grader.catalogue.words import did_you_mean, quoted

if TYPE_CHECKING:
    from grader.catalogue.faults import Complaints
    from grader.catalogue.nodes import Node


def path_below(folder: Path, text: str, *, node: Node, complaints: Complaints) -> Path | None:
    """Give the absolute path of a file below the folder, whether it exists or not; a fault when it lies elsewhere."""
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
    """Give the absolute path of a file below the folder; a fault when it isn't there or lies elsewhere."""
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
