"""Finds the catalogue's folder, and the assignments in it."""

from __future__ import annotations

import os
from pathlib import Path

from grader.errors import UsageError

HERE = Path("cases")
_PACKAGE = Path(__file__).resolve().parent.parent


def find_catalogue(given: Path | None = None) -> Path:
    """Give the catalogue: the one asked for, $GRADER_CASES, ./cases, the bundled one, the repository's."""
    asked = given or (Path(os.environ["GRADER_CASES"]) if os.environ.get("GRADER_CASES") else None)
    if asked is not None:
        if not asked.is_dir():
            raise UsageError(
                f"there is no folder {asked}", hint="--cases (or GRADER_CASES) names a folder of assignments"
            )
        return asked
    places = (HERE, _PACKAGE / "bundled" / "cases", _PACKAGE.parent / "cases")
    for place in places:
        if assignment_names(place):
            return place
    raise UsageError("there is no catalogue here", hint="name its folder: --cases DIR")


def assignment_names(catalogue: Path) -> tuple[str, ...]:
    """Name the assignments: the subfolders that hold an assignment.yaml."""
    try:
        return tuple(sorted(folder.name for folder in catalogue.iterdir() if (folder / "assignment.yaml").exists()))
    except OSError:
        return ()
