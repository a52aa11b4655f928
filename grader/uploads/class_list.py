"""Read whom a line of a list is about, and class lists: a Canvas gradebook, a Moodle grading worksheet, a plain CSV.

The head tells which of them a file is.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook.roster import NUMBERS, shared_numbers, student_faults
from grader.model.csv_table import read_table
from grader.model.lms import Student

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from grader.model.csv_table import Line, Table

_PARTICIPANT = re.compile(r"\D*(\d+)$")
_TEST_STUDENT = "Student, Test"
"""Canvas's own, in every gradebook."""
_REPOSITORY_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


class Platform(StrEnum):
    CANVAS = "canvas"
    MOODLE = "moodle"
    PLAIN = "plain"


_COLUMNS: dict[Platform, dict[str, tuple[str, ...]]] = {
    Platform.CANVAS: {
        "name": ("Student",),
        "canvas_id": ("ID",),
        "sis_user_id": ("SIS User ID",),
        "sis_login_id": ("SIS Login ID",),
        "section": ("Section",),
    },
    Platform.MOODLE: {
        "moodle_id": ("Identifier",),
        "name": ("Full name",),
        "email": ("Email address",),
        "sis_login_id": ("Username",),
        "sis_user_id": ("ID number",),
    },
    Platform.PLAIN: {name: (name,) for name in Student.__struct_fields__}
    | {"sis_login_id": ("sis_login_id", "login_id"), "canvas_id": ("canvas_id", "user_id", "id")}
    | {"student": ("student", "user_id", "id")},
}
"""Field of a student → what its column may be called."""


class Row(NamedTuple):
    """One student's line in the file."""

    line: Line
    student: Student


class ClassList(NamedTuple):
    table: Table
    rows: tuple[Row, ...]


def read_class_list(path: Path) -> ClassList:
    """Read the file; every fault in it is told with its line."""
    table = read_table(path)
    platform = platform_of(table)
    if platform is Platform.PLAIN:  # by its very columns: some number may be called id there
        rows = [Row(line, Student(**table.row(line, Student.__struct_fields__))) for line in table.lines]
    else:
        rows = [Row(line, student_at(table, line)) for line in table.lines]
        rows = [*_named(row._replace(student=_with_id(row.student)) for row in rows if _is_student(platform, row))]
    faults = [*student_faults(table, rows), *_shared(table, rows)]
    if not rows:
        faults.append(Fault(message="names no student", path=str(path)))
    if faults:
        raise CatalogueError(faults)
    return ClassList(table, tuple(rows))


def platform_of(table: Table) -> Platform:
    """Return whose file it is by its columns; raise UsageError for an unknown one."""
    found = _platform(table)
    if found is None:
        hint = (
            "Known are Canvas's gradebook (Student, ID, SIS Login ID, Section …), Moodle's grading worksheet in "
            "English (Identifier, Full name, Email address …) and a plain list "
            f"({', '.join(Student.__struct_fields__)})."
        )
        shown = ", ".join(table.names()[:8])
        raise UsageError(f"The first line of {table.path} is no class list's: {shown}.", hint=hint)
    return found


def _platform(table: Table) -> Platform | None:
    names = {name.lower() for name in table.names()}
    if {"student", "id"} <= names and names & {"sis login id", "sis user id", "section"}:
        return Platform.CANVAS
    if "identifier" in names:
        return Platform.MOODLE
    return Platform.PLAIN if "student" in names else None


def student_at(table: Table, line: Line) -> Student:
    """Return what a line says of its student; only a plain list has the course's own id."""
    columns = _COLUMNS[_platform(table) or Platform.PLAIN]
    said = {
        field: next((value for name in names if (value := table.value(line, name))), "")
        for field, names in columns.items()
    }
    if table.column("Identifier") is not None:
        said["moodle_id"] = participant(said["moodle_id"])
    return Student(**{"student": "", **said})


def participant(identifier: str) -> str:
    """Return the number in Moodle's `Participant 1234`, whatever its language; empty without one."""
    found = _PARTICIPANT.fullmatch(identifier.strip())
    return found[1] if found else ""


def _is_student(platform: Platform, row: Row) -> bool:
    """Tell a student from Canvas's rows of points and of posting policies, and its own test student."""
    return platform is Platform.MOODLE or bool(row.student.canvas_id and row.student.name != _TEST_STUDENT)


def _with_id(said: Student) -> Student:
    """Call a platform's student by address or login, else by the platform's number."""
    email = said.email or (said.sis_login_id if "@" in said.sis_login_id else "")
    number = (said.canvas_id and f"canvas-{said.canvas_id}") or (said.moodle_id and f"moodle-{said.moodle_id}")
    student = said.sis_login_id or said.email or said.sis_user_id or number
    return msgspec.structs.replace(said, student=student, email=email)


def _named(rows: Iterable[Row]) -> Iterator[Row]:
    """Call students by the part before the `@`, which can name a repository, unless two share it."""
    rows = tuple(rows)
    short = [row.student.student.partition("@")[0] for row in rows]
    times = Counter(map(str.casefold, short))
    for row, name in zip(rows, short, strict=True):
        is_fit = times[name.casefold()] == 1 and _REPOSITORY_NAME.fullmatch(name)
        yield row._replace(student=msgspec.structs.replace(row.student, student=name)) if is_fit else row


def _shared(table: Table, rows: Iterable[Row]) -> Iterator[Fault]:
    """Find two lines with one number of a platform: one's mark would be the other's."""
    lines = {row.student: row.line for row in rows}
    for field, value, (first, *others) in shared_numbers(lines, NUMBERS):
        for each in others:
            yield table.fault(lines[each], f"the {field} {value} is that of line {lines[first].number}")
