"""Join several class lists into one: each says more of the students whom the first one names."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.model.lms import Student
from grader.uploads.people import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.uploads.class_list import ClassList, Row

_SAME = ("email", "student", "sis_login_id", "sis_user_id", "canvas_id", "name")
"""What tells that two lines are one student's, the surest first; a name only where one has it.

Moodle's number isn't among them: it belongs to one assignment, and two lists may be of two.
"""
_TEAM = "group:"
_OWN = ("email", "sis_login_id", "sis_user_id", "canvas_id")


class Joined(NamedTuple):
    students: tuple[Student, ...]
    teams: dict[str, dict[str, str]]
    """Column `group:ASSIGNMENT` → student → group."""
    strangers: tuple[str, ...]
    """Lines that fit nobody, or several."""


def join(lists: Iterable[ClassList]) -> Joined:
    """Return the students of the first list with what the others add."""
    first, *others = lists
    students = {row.student.student: row.student for row in first.rows}
    strangers: list[str] = []
    teams: dict[str, dict[str, str]] = {}
    for each in (first, *others):
        columns = [name for name in each.table.names() if name.startswith(_TEAM)]
        for row in each.rows:
            found = row.student.student if each is first else _same(students, row)
            for name in columns if found else ():
                teams.setdefault(name, {})[found or ""] = each.table.value(row.line, name)
            if found is None:
                shown = row.student.name or row.student.student
                strangers.append(
                    f"{each.table.path}:{row.line.number}: {shown} is nobody, or several, of {first.table.path}"
                )
            else:
                students[found] = _filled(students[found], row.student)
    return Joined(tuple(students.values()), teams, tuple(strangers))


def _same(students: dict[str, Student], row: Row) -> str | None:
    for field in _SAME:
        value = plain_name(getattr(row.student, field))
        alike = [each for each in students.values() if value and plain_name(getattr(each, field)) == value]
        fitting = [each.student for each in alike if not _contradicts(each, row.student)]
        if fitting:
            return fitting[0] if len(fitting) == 1 else None
    return None


def _contradicts(one: Student, other: Student) -> bool:
    """Tell whether something that is one person's alone differs."""
    pairs = ((plain_name(getattr(one, field)), plain_name(getattr(other, field))) for field in _OWN)
    return any(first and second and first != second for first, second in pairs)


def _filled(known: Student, more: Student) -> Student:
    said = msgspec.structs.asdict(more)
    empty = {field: said[field] for field, value in msgspec.structs.asdict(known).items() if not value}
    return msgspec.structs.replace(known, **empty)


def roster_text(joined: Joined) -> str:
    """Write the class list as `read_roster` reads it; cells are quoted where they must be."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([*Student.__struct_fields__, *joined.teams])
    for each in joined.students:
        teams = [own.get(each.student, "") for own in joined.teams.values()]
        writer.writerow([*(getattr(each, field) for field in Student.__struct_fields__), *teams])
    return buffer.getvalue()
