"""The class list: who shares a quota, and each student's names elsewhere.

A CSV file with a header; `student` is needed, the rest may be left out:
student, group, name, email, canvas_id, sis_user_id, sis_login_id, section, moodle_id
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import msgspec

from grader.errors import CatalogueError, Fault, UsageError
from grader.model.lms import Student

if TYPE_CHECKING:
    from pathlib import Path


class Roster(msgspec.Struct, frozen=True, kw_only=True):
    entries: tuple[Student, ...] = ()

    def party(self, student: str) -> str:
        """Return whose quota a push to this student's repository takes; a group may own a repository itself."""
        return next((entry.party for entry in self.entries if entry.student == student), student)

    def members(self, party: str) -> tuple[str, ...]:
        """Return who is in a group by now; nobody when it is a student alone."""
        return tuple(entry.student for entry in self.entries if entry.group == party)

    def names(self) -> set[str]:
        return {name for entry in self.entries for name in (entry.student, entry.group) if name}


def read_roster(path: Path | None) -> Roster:
    """Read the file; every fault is told with its line."""
    if path is None:
        return Roster()
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            rows, columns = list(reader), reader.fieldnames or ()
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"The class list {path} can't be read: {error}") from error
    if "student" not in columns:
        hint = f"columns, with commas between them, are {', '.join(Student.__struct_fields__)}"
        raise UsageError(f"The first line of the class list {path} names no column `student`.", hint=hint)
    return Roster(entries=_entries(path, rows))


def _entries(path: Path, rows: list[dict[str | None, str | None]]) -> tuple[Student, ...]:
    known = set(Student.__struct_fields__)
    faults: list[Fault] = []
    entries: dict[str, Student] = {}
    lines: dict[str, int] = {}
    for line, row in enumerate(rows, 2):
        values = {name: (value or "").strip() for name, value in row.items() if name in known}
        student = values.get("student", "")
        if not student:
            hint = f"columns are {', '.join(Student.__struct_fields__)}"
            faults.append(Fault(message="this line names no student", path=str(path), line=line, hint=hint))
        elif not student.isprintable():
            faults.append(Fault(message=f"{student!r} has letters that can't be seen", path=str(path), line=line))
        elif student in entries:
            faults.append(Fault(message=f"{student} is listed twice", path=str(path), line=line))
        else:
            entries[student] = msgspec.convert(values, Student)
            lines[student] = line
    faults += _confused(path, entries, lines)
    if faults:
        raise CatalogueError(faults)
    return tuple(entries.values())


def _confused(path: Path, entries: dict[str, Student], lines: dict[str, int]) -> list[Fault]:
    """Find groups with the name of a student outside of them: the two would share one quota and one grade."""
    return [
        Fault(
            message=f"the group {entry.group} is called like the student {entry.group}, who isn't in it",
            path=str(path),
            line=lines[entry.student],
            hint="Give the group another name.",
        )
        for entry in entries.values()
        if entry.group in entries and entries[entry.group].group != entry.group
    ]
