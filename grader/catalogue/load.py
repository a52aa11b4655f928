"""Loads assignments from a catalogue folder, or tells every fault in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.catalogue.build import Builder
from grader.catalogue.faults import Faults
from grader.catalogue.find import assignment_names
from grader.catalogue.words import did_you_mean
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from grader.model.assignment import Assignment


def load(folder: Path, *, names: Iterable[str] | None = None, check_mazes: bool = True) -> tuple[Assignment, ...]:
    """Load the catalogue's assignments, or those named; CatalogueError carries every fault in all of them.

    With `check_mazes=False` the kits don't read the mazes: quicker, and a maze that is none shows only later.
    """
    faults = Faults()
    wanted = _wanted(folder, names)
    built = [Builder(folder / name, faults, check_mazes=check_mazes).assignment() for name in wanted]
    faults.raise_any()
    return tuple(assignment for assignment in built if assignment is not None)


def load_assignment(folder: Path, name: str, *, check_mazes: bool = True) -> Assignment:
    """Load one assignment by the name of its folder."""
    return load(folder, names=(name,), check_mazes=check_mazes)[0]


def _wanted(folder: Path, names: Iterable[str] | None) -> tuple[str, ...]:
    known = assignment_names(folder)
    if names is None:
        if not known:
            raise UsageError(
                f"{folder} holds no assignment", hint="an assignment is a folder with an assignment.yaml"
            )
        return known
    wanted = tuple(names)
    for name in wanted:
        if name not in known:
            raise UsageError(f"there is no assignment {name} in {folder}", hint=did_you_mean(name, known))
    return wanted
