"""Chooses the handed-in files of one submission and reads them within bounds."""

from __future__ import annotations

import difflib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from grader.intake.bounds import MOST_BYTES, MOST_FILE_BYTES, MOST_FILES, is_silent, why_dropped
from grader.intake.entry import Entry, Refused, UnreadableError
from grader.model.run import File
from grader.model.submission import Note, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.assignment import Handin

_MOST_NOTES = 30
_SHOWN = 12


class _Found(NamedTuple):
    entry: Entry
    name: str
    """The name under which it is expected."""


def select(
    name: str, offered: Iterable[Entry | Refused], handins: tuple[Handin, ...], *, origin: str = ""
) -> Submission:
    """Make a submission from what a folder, zip or tag offers; what is wrong with it becomes notes or a problem."""
    try:
        entries, notes = _sift(offered)
        return _choose(name, entries, notes, handins, origin)
    except UnreadableError as error:
        return Submission(id=name, files=(), problem=str(error), origin=origin)


def _sift(offered: Iterable[Entry | Refused]) -> tuple[list[Entry], list[Note]]:
    entries: list[Entry] = []
    notes: list[Note] = []
    for item in offered:
        if isinstance(item, Refused):
            notes.append(Note(kind="dropped", path=item.path, message=f"{item.path} was left out: {item.reason}"))
        elif reason := why_dropped(item.path):
            if not is_silent(item.path):
                notes.append(Note(kind="dropped", path=item.path, message=f"{item.path} was left out: {reason}"))
        else:
            entries.append(item)
    return entries, notes


def _choose(
    name: str, entries: list[Entry], notes: list[Note], handins: tuple[Handin, ...], origin: str
) -> Submission:
    found: list[_Found] = []
    missing: list[str] = []
    for handin in handins:
        match = _find(handin.name, entries, notes)
        if match is not None:
            found.append(_Found(match, handin.name))
        elif handin.required:
            missing.append(handin.name)
    if missing:
        problem = _missing_text(missing, entries)
        missing_notes = tuple(Note(kind="missing-file", path=path, message=problem) for path in missing)
        return Submission(
            id=name, files=(), problem=problem, origin=origin, notes=missing_notes + tuple(notes[:_MOST_NOTES])
        )
    files = _read_all(found, entries, notes)
    return Submission(id=name, files=files, origin=origin, notes=tuple(notes[:_MOST_NOTES]))


def _find(wanted: str, entries: list[Entry], notes: list[Note]) -> Entry | None:
    exact = [entry for entry in entries if PurePosixPath(entry.path).name == wanted]
    alike = [entry for entry in entries if PurePosixPath(entry.path).name.lower() == wanted.lower()]
    candidates = sorted(exact or alike, key=lambda entry: (entry.path.count("/"), entry.path))
    if not candidates:
        return None
    chosen = candidates[0]
    if len(candidates) > 1:
        others = ", ".join(entry.path for entry in candidates[1:4])
        notes.append(Note(kind="duplicate", path=chosen.path, message=f"{chosen.path} was graded, not {others}"))
    if not exact:
        notes.append(Note(kind="renamed", path=chosen.path, message=f"{chosen.path} was taken as {wanted}"))
    return chosen


def _missing_text(missing: list[str], entries: list[Entry]) -> str:
    names = [entry.path for entry in entries]
    there = ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
    close = difflib.get_close_matches(missing[0], [PurePosixPath(path).name for path in names], n=1)
    hint = f" Is {close[0]} meant to be {missing[0]}?" if close else ""
    return f"no {' and no '.join(missing)} found; there was {there or 'nothing'}.{hint}"


def _read_all(found: list[_Found], entries: list[Entry], notes: list[Note]) -> tuple[File, ...]:
    """Read the folder in which the first handed-in file lies, so that it runs as at home."""
    top = str(PurePosixPath(found[0].entry.path).parent)
    prefix = "" if top == "." else top + "/"
    chosen = {entry.path: _below(entry.path, prefix) for entry in entries if entry.path.startswith(prefix)}
    for entry, name in found:
        chosen[entry.path] = name if not entry.path.startswith(prefix) else _renamed(_below(entry.path, prefix), name)
    handed_in = {item.entry.path for item in found}
    ordered = sorted(
        (entry for entry in entries if entry.path in chosen), key=lambda e: (e.path not in handed_in, e.path)
    )
    files: dict[str, File] = {}
    left = MOST_BYTES
    for entry in ordered:
        content = _read(entry, left, len(files), notes, required=entry.path in handed_in)
        if content is not None and chosen[entry.path] not in files:
            left -= len(content)
            files[chosen[entry.path]] = File(path=chosen[entry.path], content=content)
    return tuple(files[path] for path in sorted(files))


def _below(path: str, prefix: str) -> str:
    return path[len(prefix) :]


def _renamed(path: str, name: str) -> str:
    return str(PurePosixPath(path).with_name(name))


def _read(entry: Entry, left: int, count: int, notes: list[Note], *, required: bool) -> bytes | None:
    """Read one file; a handed-in file that is too large is a problem, another is left out with a note."""
    if entry.size <= MOST_FILE_BYTES and entry.size <= left and count < MOST_FILES:
        content = entry.read(min(MOST_FILE_BYTES, left) + 1)
        if len(content) <= min(MOST_FILE_BYTES, left):
            return content
    reason = f"{entry.path} is too large ({entry.size} bytes) or one of too many files"
    if required:
        raise UnreadableError(reason)
    notes.append(Note(kind="too-large", path=entry.path, message=f"{reason}; it was left out"))
    return None
