"""Finds files that YAML names, never outside the assignment's folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from grader.catalogue.words import did_you_mean, quoted

if TYPE_CHECKING:
    from grader.catalogue.faults import Complaints
    from grader.catalogue.nodes import Node


def named_file(folder: Path, text: str, *, node: Node, complaints: Complaints) -> Path | None:
    """Give the absolute path of a file below the folder; a fault when it isn't there or lies elsewhere."""
    asked = PurePosixPath(text)
    if not text or asked.is_absolute() or ".." in asked.parts or "\\" in text or "\0" in text:
        hint = "write it from the folder of assignment.yaml down, with /"
        complaints.at(node, f"the path {quoted(text)} leads out of the assignment's folder", hint=hint)
        return None
    path = folder.absolute() / asked
    try:
        return _checked(folder, path, node, complaints)
    except (OSError, ValueError) as error:
        complaints.at(node, f"the file {quoted(text)} can't be looked up: {error}")
        return None


def _checked(folder: Path, path: Path, node: Node, complaints: Complaints) -> Path | None:
    shown = path.relative_to(folder.absolute()).as_posix()
    if not path.resolve().is_relative_to(folder.resolve()):
        complaints.at(
            node, f"the path {shown} leads out of the assignment's folder", hint="it is a link; copy the file"
        )
    elif path.is_dir():
        complaints.at(node, f"{shown} is a folder, not a file")
    elif not path.is_file():
        there = [str(PurePosixPath(shown).parent / each.name) for each in _beside(path)]
        complaints.at(node, f"there is no file {shown}", hint=did_you_mean(shown, there[:50]))
    else:
        return path
    return None


def _beside(path: Path) -> list[Path]:
    return [each for each in path.parent.iterdir() if each.is_file()] if path.parent.is_dir() else []
