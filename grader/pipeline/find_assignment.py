"""Finds the assignment that a command is about."""

from __future__ import annotations

import os
import tomllib
from itertools import islice
from typing import TYPE_CHECKING

from grader.catalogue.load import assignment_names, find_catalogue, load_assignment, required_files
from grader.course.folder import find_course
from grader.errors import UsageError
from grader.intake.archive import list_archive
from grader.intake.folder import list_folder
from grader.intake.offered import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.model.assignment import Assignment

_MOST_NAMES = 2000
_MARKERS = (".grader.toml", "grader.toml")
_MARKER_BYTES = 10_000


def marked_in(path: Path) -> str | None:
    """Return the assignment that a marker names (`assignment = "lefthand"`), in this folder or one above it.

    Only one's own folder is asked: a handed-in one could name whatever its student likes.
    """
    here = path.resolve()
    for folder in (here, *here.parents):
        for marker in (folder / name for name in _MARKERS):
            if marker.is_file():
                return _named(marker)
    return None


def _named(marker: Path) -> str:
    try:
        with marker.open("rb") as file:
            name = tomllib.loads(file.read(_MARKER_BYTES).decode()).get("assignment")
    except (OSError, ValueError) as error:
        raise UsageError(f"{marker} can't be read: {error}", hint='it has one line: assignment = "NAME"') from error
    if not isinstance(name, str):
        raise UsageError(f"{marker} names no assignment", hint='it has one line: assignment = "NAME"')
    return name


def choose_assignment(
    name: str | None, paths: Iterable[Path], *, cases: Path | None = None, check_inputs: bool = True
) -> Assignment:
    """Load the assignment named, or the one that the submission's file names leave no doubt about.

    In a course folder its catalogue is meant, and its regulations hold. `check_inputs` is as in `load`.
    """
    course = find_course()
    if name is not None:
        if course:
            return course.load(name, cases=cases, check_inputs=check_inputs)
        return load_assignment(find_catalogue(cases), name, check_inputs=check_inputs)
    catalogue = find_catalogue(cases or (course.catalogue(None) if course else None))
    names = set(_file_names(paths))
    wanted = [each for each in course.file.assignments if each in assignment_names(catalogue)] if course else None
    required = required_files(catalogue, wanted or None)
    candidates = [each for each, files in required.items() if files & names]
    fitting = [each for each in candidates if required[each] <= names] or candidates
    if len(fitting) == 1:
        return choose_assignment(fitting[0], paths, cases=catalogue, check_inputs=check_inputs)
    if not fitting:
        files = ", ".join(sorted(frozenset().union(*required.values())))
        raise UsageError(f"no file of an assignment found (looked for {files})", hint="name the assignment: -a NAME")
    raise UsageError(f"the files fit several assignments: {', '.join(fitting)}", hint=f"say which: -a {fitting[0]}")


def _file_names(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"there is no {path}")
        yield path.name
        try:
            if os.path.isdir(path):  # noqa: PTH112 - never raises
                yield from (item.path.rsplit("/", 1)[-1] for item in islice(list_folder(path), _MOST_NAMES))
            elif path.suffix.lower() == ".zip":
                yield from (item.path.rsplit("/", 1)[-1] for item in islice(list_archive(path), _MOST_NAMES))
        except UnreadableError:
            continue
