"""Turns the paths on a command line into submissions, one at a time."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.intake.archive import list_archive
from grader.intake.choose_files import select
from grader.intake.entries import Entry, Kind, entries, key, single_entry
from grader.intake.folder import list_folder, offered_file
from grader.intake.notebook import ENDING
from grader.intake.offered import UnreadableError, printable
from grader.model.submission import Note, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.intake.offered import Offered, Refused
    from grader.model.assignment import Assignment


def collect(paths: Iterable[Path], assignment: Assignment) -> Iterator[Submission]:
    """Yield a submission for each entry of the class that the paths are."""
    return (collect_entry(entry, assignment) for entry in entries(paths, assignment))


def collect_one(path: Path, assignment: Assignment) -> Submission:
    """Return the one submission that `path` is, wherever below it the files lie: a student's own folder."""
    if not path.exists():
        raise UsageError(f"there is no {path}", hint="give a file, a folder or a zip")
    entry = single_entry(path, assignment)
    if entry.kind is Kind.REFUSED:
        raise UsageError(f"{path} can't be taken: {entry.reason}")
    return collect_entry(entry, assignment)


def collect_entry(entry: Entry, assignment: Assignment) -> Submission:
    """Read one entry; whatever is wrong with it is the submission's problem, and nothing is raised."""
    try:
        submission = _read(entry, assignment)
    except UnreadableError as error:
        submission = _problem(entry, str(error))
    except OSError as error:
        submission = _problem(entry, f"{entry.name} can't be read: {error.strerror or error}")
    except Exception as error:  # noqa: BLE001 - the neighbours are graded whatever an archive makes a library do
        submission = _problem(entry, f"{entry.name} can't be read: {type(error).__name__}: {printable(str(error))}")
    if entry.is_renamed:
        message = f"another submission has the same name; this one, {entry.name}, is {entry.id}"
        note = Note(kind="renamed", message=message)
        submission = msgspec.structs.replace(submission, notes=(note, *submission.notes))
    return submission


def _problem(entry: Entry, problem: str) -> Submission:
    return Submission(id=entry.id, files=(), problem=problem, origin=_origin(entry))


def _origin(entry: Entry) -> str:
    return printable(f"{entry.path}/{entry.part}" if entry.part else entry.path)


def _read(entry: Entry, assignment: Assignment) -> Submission:
    path = Path(entry.path)
    match entry.kind:
        case Kind.REFUSED:
            return _problem(entry, f"{entry.name} can't be graded: {entry.reason}")
        case Kind.FILE:
            return _loose(entry, offered_file(path), assignment)
        case Kind.FOLDER:
            offered = list_folder(path)
        case Kind.ARCHIVE:
            offered = list_archive(path)
        case Kind.PART:
            status = path.stat()
            inside = _class_zip(path, status.st_size, status.st_mtime_ns)
            loose = next((item for item in inside if item.path == entry.part), None)
            if loose is not None:
                return _loose(entry, loose, assignment)
            prefix = f"{entry.part}/"
            offered = (
                item._replace(path=item.path.removeprefix(prefix)) for item in inside if item.path.startswith(prefix)
            )
    return select(entry.id, offered, assignment, origin=_origin(entry))


@functools.lru_cache(maxsize=1)
def _class_zip(path: Path, _size: int, _changed_ns: int) -> list[Offered | Refused]:
    """Keep the list of the class's zip from one student to the next."""
    return list(list_archive(path))


def _loose(entry: Entry, item: Offered | Refused, assignment: Assignment) -> Submission:
    """Take a single file; under whatever name it came, it is the handed-in file when only one is wanted."""
    required = [handin.name for handin in assignment.files if handin.required]
    notes: tuple[Note, ...] = ()
    is_notebook = entry.name.lower().endswith(ENDING)
    if (
        len(required) == 1
        and not is_notebook
        and key(entry.name) not in {key(handin.name) for handin in assignment.files}
    ):
        notes = (Note(kind="renamed", path=entry.name, message=f"{entry.name} was taken as {required[0]}"),)
        item = item._replace(path=required[0])
    submission = select(entry.id, [item], assignment, origin=_origin(entry))
    return msgspec.structs.replace(submission, notes=notes + submission.notes)
