"""Read a class list: a Canvas gradebook, a Moodle grading worksheet or a plain CSV, told apart by the head."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook.roster import student_faults, student_of
from grader.model.csv_table import read_table
from grader.model.lms import Student

if TYPE_CHECKING:
    from collections.abc import Iterator
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


class Row(NamedTuple):
    """One student's line in the file."""

    line: Line
    student: Student


class ClassList(NamedTuple):
    platform: Platform
    table: Table
    rows: tuple[Row, ...]


def read_class_list(path: Path) -> ClassList:
    """Read the file; every fault in it is told with its line."""
    table = read_table(path)
    platform = platform_of(table)
    readers = {Platform.CANVAS: _canvas, Platform.MOODLE: _moodle}
    plain = (Row(line, student_of(table, line)) for line in table.lines)
    rows = tuple(readers[platform](table) if platform in readers else plain)
    named = rows if platform is Platform.PLAIN else tuple(_named(rows))
    faults = [*student_faults(table, named), *_shared(table, named)]
    if not rows:
        faults.append(Fault(message="names no student", path=str(path)))
    if faults:
        raise CatalogueError(faults)
    return ClassList(platform, table, named)


def platform_of(table: Table) -> Platform:
    """Tell whose file it is by its columns; UsageError for nobody's."""
    names = {name.lower() for name in table.names()}
    if {"student", "id"} <= names and names & {"sis login id", "sis user id", "section"}:
        return Platform.CANVAS
    if "identifier" in names and names & {"full name", "email address", "grade"}:
        return Platform.MOODLE
    if "student" in names:
        return Platform.PLAIN
    hint = (
        "Known are Canvas's gradebook (Student, ID, SIS Login ID, Section …), Moodle's grading worksheet in English "
        f"(Identifier, Full name, Email address …) and a plain list ({', '.join(Student.__struct_fields__)})."
    )
    raise UsageError(f"The first line of {table.path} is no class list's: {', '.join(table.names()[:8])}.", hint=hint)


def participant(identifier: str) -> str:
    """Return the number in Moodle's `Participant 1234`, whatever its language; empty without one."""
    found = _PARTICIPANT.fullmatch(identifier.strip())
    return found[1] if found else ""


def _canvas(table: Table) -> Iterator[Row]:
    for line in table.lines:
        number = table.value(line, "ID")
        if not number or table.value(line, "Student") == _TEST_STUDENT:  # rows of points and of posting policies
            continue
        login = table.value(line, "SIS Login ID")
        student = Student(
            student=login or table.value(line, "SIS User ID") or f"canvas-{number}",
            name=table.value(line, "Student"),
            email=login if "@" in login else "",
            canvas_id=number,
            sis_user_id=table.value(line, "SIS User ID"),
            sis_login_id=login,
            section=table.value(line, "Section"),
        )
        yield Row(line, student)


def _moodle(table: Table) -> Iterator[Row]:
    for line in table.lines:
        number = participant(table.value(line, "Identifier"))
        email = table.value(line, "Email address")
        name = table.value(line, "Full name")
        known = email or (f"moodle-{number}" if number else "")
        yield Row(line, Student(student=known, name=name, email=email, moodle_id=number))


def _named(rows: tuple[Row, ...]) -> Iterator[Row]:
    """Call students by the part before the `@`, which can name a repository, unless two share it."""
    short = [row.student.student.partition("@")[0] for row in rows]
    times = Counter(map(str.casefold, short))
    for row, name in zip(rows, short, strict=True):
        is_fit = times[name.casefold()] == 1 and _REPOSITORY_NAME.fullmatch(name)
        yield row._replace(student=msgspec.structs.replace(row.student, student=name)) if is_fit else row


def _shared(table: Table, rows: tuple[Row, ...]) -> Iterator[Fault]:
    """Find two lines with one number of a platform: one's mark would be the other's."""
    for field in ("canvas_id", "sis_user_id", "sis_login_id", "moodle_id"):
        first: dict[str, Line] = {}
        for line, student in rows:
            value = getattr(student, field)
            known = first.setdefault(value, line) if value else line
            if known is not line:
                yield table.fault(line, f"the {field} {value} is that of line {known.number}")
