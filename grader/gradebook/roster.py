"""The class list: who shares a quota, and each student's names elsewhere.

A CSV file with a header; `student` is needed, the rest may be left out:
student, group, name, email, canvas_id, sis_user_id, sis_login_id, section, moodle_id
`group:ASSIGNMENT` has the groups of one assignment, in the place of `group`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.errors import CatalogueError, Fault
from grader.model.csv_table import read_table
from grader.model.lms import Student

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.model.csv_table import Line, Table

TEAM = "group:"
NUMBERS = ("canvas_id", "sis_user_id", "sis_login_id", "moodle_id")
"""What a platform knows one student alone by."""


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
    table = read_table(path).need("student", known=Student.__struct_fields__)
    columns = Student.__struct_fields__
    students = [(line, Student(**table.row(line, columns))) for line in table.lines]
    faults = [*student_faults(table, students)]
    entries = {student.student: student for _, student in students}
    lines = {student.student: line for line, student in students}
    teams = {
        name.removeprefix(TEAM): {own: table.value(line, name) for own, line in lines.items()}
        for name in table.names()
        if name.startswith(TEAM)
    }
    found = Roster(entries=tuple(entries.values()), teams=teams)
    for each in (found, *map(found.of, teams)):
        faults += _confused(table, each, lines)
    if faults:
        raise CatalogueError(dict.fromkeys(faults))
    return found


def student_faults(table: Table, students: Iterable[tuple[Line, Student]]) -> Iterator[Fault]:
    """Find lines that name no student, or one who has a line already."""
    seen: dict[str, int] = {}
    for line, student in students:
        name = student.student
        if not name:
            hint = f"columns are {', '.join(Student.__struct_fields__)}"
            yield table.fault(line, "this line names no student", hint)
        elif not name.isprintable():
            yield table.fault(line, f"{name!r} has letters that can't be seen")
        elif name in seen:
            yield table.fault(line, f"{name} is listed twice", f"first on line {seen[name]}")
        seen.setdefault(name, line.number)


def shared_numbers(students: Iterable[Student], fields: Iterable[str]) -> Iterator[tuple[str, str, list[Student]]]:
    """Yield each number of a platform that several students have: its field, itself, and whose it is."""
    everyone = tuple(students)
    for field in fields:
        owners: dict[str, list[Student]] = {}
        for each in everyone:
            owners.setdefault(getattr(each, field), []).append(each)
        yield from ((field, value, own) for value, own in owners.items() if value and len(own) > 1)


def _confused(table: Table, roster: Roster, lines: dict[str, Line]) -> Iterator[Fault]:
    """Find groups with the name of a student outside of them: the two would share one quota and one grade."""
    groups = {entry.student: entry.group for entry in roster.entries}
    for name, group in groups.items():
        if group in groups and groups[group] != group:
            message = f"the group {group} is called like the student {group}, who isn't in it"
            yield table.fault(lines[name], message, "Give the group another name.")
