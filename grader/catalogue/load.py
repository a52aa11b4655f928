"""Finds the catalogue's folder and loads its assignments, or tells every fault in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from grader.bundled import bundled
from grader.catalogue.loading.build import Builder
from grader.catalogue.loading.files import AssignmentFile
from grader.catalogue.placed_yaml.decode import read_document
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.source import Faults
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.assignment import Assignment


HERE = Path("cases")


def find_catalogue(given: Path | None = None) -> Path:
    """Return the catalogue: the one asked for, $GRADER_CASES, ./cases, the bundled one, the repository's."""
    asked = given or (Path(os.environ["GRADER_CASES"]) if os.environ.get("GRADER_CASES") else None)
    if asked is not None:
        if not asked.is_dir():
            raise UsageError(
                f"there is no folder {asked}", hint="--cases (or GRADER_CASES) names a folder of assignments"
            )
        return asked
    for place in (HERE, bundled("cases")):
        if assignment_names(place):
            return place
    raise UsageError("there is no catalogue here", hint="name its folder: --cases DIR")


def assignment_names(catalogue: Path) -> tuple[str, ...]:
    """Name the assignments: the subfolders that hold an assignment.yaml."""
    try:
        return tuple(sorted(folder.name for folder in catalogue.iterdir() if _is_assignment(folder)))
    except OSError:
        return ()


def _is_assignment(folder: Path) -> bool:
    """Tell whether there is such a file, even one that can't be read: the loader says why."""
    return os.path.lexists(folder / "assignment.yaml") or (folder.is_dir() and not os.access(folder, os.X_OK))


def load(folder: Path, *, names: Iterable[str] | None = None, check_inputs: bool = True) -> tuple[Assignment, ...]:
    """Load the catalogue's assignments, or those named; CatalogueError carries every fault in all of them.

    With `check_inputs=False` the kits don't read the inputs: quicker, and one that is none shows only later.
    """
    faults = Faults()
    wanted = _wanted(folder, names)
    built = [Builder(folder / name, faults, check_inputs=check_inputs).assignment() for name in wanted]
    faults.raise_any()
    return tuple(assignment for assignment in built if assignment is not None)


def load_assignment(folder: Path, name: str, *, check_inputs: bool = True) -> Assignment:
    """Load one assignment by the name of its folder."""
    return load(folder, names=(name,), check_inputs=check_inputs)[0]


def required_files(folder: Path, names: Iterable[str] | None = None) -> dict[str, frozenset[str]]:
    """Name the files that each assignment asks for, by its own file alone: no case is read for that."""
    faults = Faults()
    found = {}
    for name in _wanted(folder, names):
        document = read_document(folder / name / "assignment.yaml", AssignmentFile, faults)
        if document is not None and document.value is not None:
            found[name] = frozenset(file.name for file in document.value.files if file.required)
    faults.raise_any()
    return found


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
