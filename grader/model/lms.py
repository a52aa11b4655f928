"""Writes the marks of a class as CSV that Canvas and Moodle import.

Canvas     Student, ID, SIS User ID, SIS Login ID, Section, <title> (<assignment id>); second row `Points Possible`
Moodle     Identifier, Full name, Email address, Grade, Maximum Grade, Last modified (grade), Feedback comments
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)
_POSSIBLE = "    Points Possible"


class Student(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the class list."""

    student: str
    """The id that the course uses."""
    group: str = ""
    name: str = ""
    email: str = ""
    canvas_id: str = ""
    sis_user_id: str = ""
    sis_login_id: str = ""
    section: str = ""
    moodle_id: str = ""

    @property
    def party(self) -> str:
        return self.group or self.student


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One student's mark."""

    of: Student
    points: str
    """Empty where there is no mark: an import leaves the cell alone then."""
    words: str = ""
    """What the student reads beside the mark, in Moodle."""


def canvas(title: str, max_points: str, marks: Iterable[Mark], *, assignment_id: str = "") -> str:
    """Return Canvas's gradebook; without an assignment's id Canvas makes a new column of that title."""
    column = f"{title} ({assignment_id})" if assignment_id else title
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column]
    return csv_text([head, [_POSSIBLE, "", "", "", "", max_points], *map(_canvas_row, marks)])


def _canvas_row(mark: Mark) -> list[str]:
    of = mark.of
    names = [of.name or of.student, of.canvas_id, of.sis_user_id, of.sis_login_id or of.student]
    return [*names, of.section, mark.points]


def moodle(max_points: str, marks: Iterable[Mark]) -> str:
    """Return Moodle's grading worksheet."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    head += ["Last modified (grade)", "Feedback comments"]
    return csv_text([head, *(_moodle_row(mark, max_points) for mark in marks)])


def _moodle_row(mark: Mark, max_points: str) -> list[str]:
    of = mark.of
    known = f"Participant {of.moodle_id}" if of.moodle_id else of.student
    return [known, of.name or of.student, of.email, mark.points, max_points, "", mark.words]


def csv_text(rows: Iterable[list[str]]) -> str:
    """Return the rows as CSV without a formula."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([guard(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def guard(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; a number stays one."""
    is_formula = cell.lstrip().startswith(_FORMULA) or cell.startswith(_FORMULA)
    return f"'{cell}" if is_formula and not _NUMBER.fullmatch(cell) else cell
