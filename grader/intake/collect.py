"""Turns the paths on a command line into submissions, one at a time."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.intake.archive import list_archive
from grader.intake.entry import Entry, Refused, UnreadableError
from grader.intake.folder import file_entry, list_folder
from grader.intake.select import select
from grader.model.submission import Note, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment, Handin


def collect(paths: Iterable[Path], assignment: Assignment) -> Iterator[Submission]:
    """Give a submission for each file, folder or zip, and one for each child of a folder of submissions.

    A folder is one submission when it holds a handed-in file itself (or is a git work tree); otherwise every folder,
    zip and Python file in it is one. A zip is read the same way.
    """
    taken: dict[str, int] = {}
    for path in paths:
        for submission in _of_path(path, assignment.files):
            yield _unique(submission, taken)


def collect_one(path: Path, assignment: Assignment) -> Submission:
    """Give the one submission that `path` is, wherever below it the files lie: a student's own folder."""
    return _single(path, _name(path), assignment.files)


def count(paths: Iterable[Path], assignment: Assignment) -> int:
    """Count the submissions without reading them, for a progress bar."""
    return sum(len(_children(path, assignment.files)) or 1 for path in paths)


def _unique(submission: Submission, taken: dict[str, int]) -> Submission:
    times = taken[submission.id] = taken.get(submission.id, 0) + 1
    if times == 1:
        return submission
    return msgspec.structs.replace(submission, id=f"{submission.id}-{times}")


def _of_path(path: Path, handins: tuple[Handin, ...]) -> Iterator[Submission]:
    if path.is_file() and path.suffix.lower() == ".zip":
        yield from _of_archive(path, handins)
        return
    children = _children(path, handins)
    if children:
        for child in children:
            yield _single(child, _name(child), handins)
    else:
        yield _single(path, _name(path), handins)


def _children(path: Path, handins: tuple[Handin, ...]) -> list[Path]:
    """Give the submissions of a folder of submissions; empty when the path is one submission itself."""
    if not path.is_dir():
        return []
    names = {handin.name.lower() for handin in handins}
    inside = sorted(path.iterdir())
    if any(child.name.lower() in names or child.name == ".git" for child in inside):
        return []
    return [child for child in inside if _is_submission(child)]


def _is_submission(child: Path) -> bool:
    if child.name.startswith((".", "__")) or child.is_symlink():
        return False
    return child.is_dir() or child.suffix.lower() in {".zip", ".py"}


def _single(path: Path, name: str, handins: tuple[Handin, ...]) -> Submission:
    if not path.exists():
        raise UsageError(f"there is no {path}", hint="give a file, a folder, a folder of submissions or a zip")
    if path.is_dir():
        return select(name, list_folder(path), handins, origin=str(path))
    if path.suffix.lower() == ".zip":
        return select(name, list_archive(path), handins, origin=str(path))
    if path.suffix.lower() != ".py" and path.name not in {handin.name for handin in handins}:
        raise UsageError(f"{path} is no Python file, folder or zip")
    return _loose(path, name, handins)


def _loose(path: Path, name: str, handins: tuple[Handin, ...]) -> Submission:
    """Take a single file; under whatever name it came, it is the handed-in file when only one is wanted."""
    required = [handin.name for handin in handins if handin.required]
    entry = file_entry(path)
    notes: tuple[Note, ...] = ()
    if len(required) == 1 and path.name not in {handin.name for handin in handins}:
        notes = (Note(kind="renamed", path=path.name, message=f"{path.name} was taken as {required[0]}"),)
        entry = entry._replace(path=required[0])
    submission = select(name, [entry], handins, origin=str(path))
    return msgspec.structs.replace(submission, notes=notes + submission.notes)


def _of_archive(path: Path, handins: tuple[Handin, ...]) -> Iterator[Submission]:
    """Take a zip as one submission, or as one for each top folder when several hold the files."""
    try:
        entries = list(list_archive(path))
    except UnreadableError as error:
        yield Submission(id=_name(path), files=(), problem=str(error), origin=str(path))
        return
    tops = _tops(entries, {handin.name.lower() for handin in handins if handin.required})
    if len(tops) < 2:
        yield select(_name(path), entries, handins, origin=str(path))
        return
    for top in sorted(tops):
        inside = [
            item._replace(path=item.path[len(top) + 1 :]) for item in entries if item.path.startswith(top + "/")
        ]
        yield select(top, inside, handins, origin=f"{path}/{top}")


def _tops(entries: list[Entry | Refused], names: set[str]) -> set[str]:
    tops: set[str] = set()
    for item in entries:
        parts = PurePosixPath(item.path).parts
        if isinstance(item, Entry) and parts[-1].lower() in names:
            if len(parts) == 1:
                return set()
            tops.add(parts[0])
    return tops - {"__MACOSX"}


def _name(path: Path) -> str:
    resolved = path.resolve()
    name = resolved.name if path.is_dir() else resolved.stem
    return name.encode("utf-8", "replace").decode() or "submission"
