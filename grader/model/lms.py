"""Writes the marks of a class as CSV that Canvas and Moodle import.

Canvas     Student, ID, SIS User ID, SIS Login ID, Section, <title> (<assignment id>); second row `Points Possible`
Moodle     Identifier, Full name, Email address, Grade, Maximum Grade, Last modified (grade), Feedback comments
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_POSSIBLE = "    Points Possible"


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """One student's line."""

    student: str
    """The id that the course uses."""
    name: str = ""
    points: str
    """Empty where there is no mark: an import leaves the cell alone then."""
    words: str = ""
    """What the student reads beside the mark, in Moodle."""
    login: str = ""
    email: str = ""
    section: str = ""
    canvas_id: str = ""
    sis_user_id: str = ""
    moodle_id: str = ""


def canvas(title: str, max_points: str, marks: Iterable[Mark], *, assignment_id: str = "") -> str:
    """Return Canvas's gradebook; without an assignment's id Canvas makes a new column of that title."""
    column = f"{title} ({assignment_id})" if assignment_id else title
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column]
    rows = (
        [
            mark.name or mark.student,
            mark.canvas_id,
            mark.sis_user_id,
            mark.login or mark.student,
            mark.section,
            mark.points,
        ]
        for mark in marks
    )
    return csv_text([head, [_POSSIBLE, "", "", "", "", max_points], *rows])


def moodle(max_points: str, marks: Iterable[Mark]) -> str:
    """Return Moodle's grading worksheet."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    head += ["Last modified (grade)", "Feedback comments"]
    rows = (
        [
            f"Participant {mark.moodle_id}" if mark.moodle_id else mark.student,
            mark.name or mark.student,
            mark.email,
            mark.points,
            max_points,
            "",
            mark.words,
        ]
        for mark in marks
    )
    return csv_text([head, *rows])


def csv_text(rows: Iterable[list[str]]) -> str:
    """Return the rows as CSV without a formula."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([guard(cell) for cell in row] for row in rows)
    return buffer.getvalue()


def guard(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; a number stays one."""
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) or cell.startswith(_FORMULA) else cell
