"""Writes the class as CSV that Canvas and Moodle import."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from grader.report.wording import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.report.summary import ClassSummary, Row

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
_MOODLE_FOLDER = re.compile(r"(?P<name>.+?)_(?P<participant>\d+)_assignsubmission_.*")


def guard(text: str) -> str:
    """Give a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) or text.startswith(_FORMULA) else text


def canvas(summary: ClassSummary, assignment_id: str = "") -> str:
    """Give Canvas's gradebook; without an assignment's id Canvas makes a new column of that title."""
    column = f"{summary.title} ({assignment_id})" if assignment_id else summary.title
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", guard(column)]]
    rows.append(["    Points Possible", "", "", "", "", number(summary.max_points())])
    rows += [[guard(row.id), "", "", guard(row.id), "", number(row.points)] for row in summary.sorted_rows()]
    return _text(rows)


def moodle(summary: ClassSummary) -> str:
    """Give Moodle's grading worksheet; ids that are Moodle's own folder names give participant and name."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    head += ["Last modified (grade)", "Feedback comments"]
    return _text([head, *(_participant(summary, row) for row in summary.sorted_rows())])


def _participant(summary: ClassSummary, row: Row) -> list[str]:
    folder = _MOODLE_FOLDER.fullmatch(row.id)
    identifier = f"Participant {folder['participant']}" if folder else row.id
    name = folder["name"] if folder else row.id
    passed = row.marks.count("A")
    words = row.problem or f"{passed} of {len(summary.columns)} cases passed."
    return [guard(identifier), guard(name), "", number(row.points), number(row.max_points), "", guard(words)]


def _text(rows: Iterable[list[str]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()
