"""The class list: who shares a quota, and each student's names elsewhere.

A CSV file with a header; `student` is needed, the rest may be left out:
student, group, name, email, canvas_id, sis_user_id, sis_login_id, section, moodle_id
`group:ASSIGNMENT` has the groups of one assignment, in the place of `group`.
"""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import msgspec

from grader.errors import CatalogueError, Fault, UsageError
from grader.model.lms import Student

if TYPE_CHECKING:
    from pathlib import Path


_TEAM = "group:"


class Roster(msgspec.Struct, frozen=True, kw_only=True):
    entries: tuple[Student, ...] = ()
    teams: dict[str, dict[str, str]] = {}
    """Assignment → student → group, where an assignment has groups of its own."""

    def of(self, assignment: str) -> Roster:
        """Return the class list with the groups of this assignment."""
        own = self.teams.get(assignment)
        if own is None:
            return self
        entries = (msgspec.structs.replace(each, group=own.get(each.student, "")) for each in self.entries)
        return Roster(entries=tuple(entries))

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
    names = [name.removeprefix(_TEAM) for name in columns if name.startswith(_TEAM)]
    return _entries(path, rows, names)


def _entries(path: Path, rows: list[dict[str | None, str | None]], assignments: list[str]) -> Roster:
    known = set(Student.__struct_fields__)
    faults: list[Fault] = []
    entries: dict[str, Student] = {}
    lines: dict[str, int] = {}
    teams: dict[str, dict[str, str]] = {name: {} for name in assignments}
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
            for name in assignments:
                teams[name][student] = (row.get(f"{_TEAM}{name}") or "").strip()
    found = Roster(entries=tuple(entries.values()), teams=teams)
    for each in (found, *(found.of(name) for name in assignments)):
        faults += _confused(path, {entry.student: entry for entry in each.entries}, lines)
    if faults:
        raise CatalogueError(dict.fromkeys(faults))
    return found


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
