"""Write what counts as CSV, for people, Canvas and Moodle."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.roster import Entry
from grader.gradebook.standing import Standing, standing
from grader.gradebook.words import number_text, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from grader.gradebook.history import History
    from grader.gradebook.roster import Roster
    from grader.model.assignment import Assignment

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One student's grade."""

    entry: Entry
    standing: Standing

    @property
    def points(self) -> str:
        """Give the points that count; empty when nothing does, so that an import leaves the cell alone."""
        return number_text(round(self.standing.points, 4)) if self.standing.counted else ""


def lines(assignment: Assignment, past: Mapping[str, History], roster: Roster) -> tuple[Line, ...]:
    """Give the class in the roster's order; every member of a group has the group's points."""
    students = tuple(sorted({each.student for history in past.values() for each in history.attempts}))
    party_of = {each.student: party for party, history in past.items() for each in history.attempts}
    found = []
    for entry in roster.entries_or(students):
        history = past.get(entry.party if roster.entries else party_of[entry.student])
        now = standing(assignment.regulations, history) if history else Standing()
        found.append(Line(entry=entry, standing=now))
    return tuple(found)


def plain(assignment: Assignment, rows: Iterable[Line]) -> str:
    """Give one line per student with points, attempt and quota."""
    head = [
        "student",
        "group",
        "name",
        "points",
        "max_points",
        "tag",
        "received",
        "cost_percent",
        "attempts",
        "refused",
    ]
    return _text([head, *(_plain_row(assignment, row) for row in rows)])


def canvas(assignment: Assignment, rows: Iterable[Line], *, assignment_id: str = "") -> str:
    """Give Canvas's gradebook; without an assignment's id Canvas makes a new column of that title."""
    column = f"{assignment.title} ({assignment_id})" if assignment_id else assignment.title
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column]
    possible = ["    Points Possible", "", "", "", "", number_text(assignment.max_points)]
    return _text([head, possible, *(_canvas_row(row) for row in rows)])


def moodle(assignment: Assignment, rows: Iterable[Line]) -> str:
    """Give Moodle's grading worksheet."""
    head = ["Identifier", "Full name", "Email address", "Grade", "Maximum Grade"]
    head += ["Last modified (grade)", "Feedback comments"]
    return _text([head, *(_moodle_row(assignment, row) for row in rows)])


def guard(cell: str) -> str:
    """Give a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(_FORMULA) else cell


def _plain_row(assignment: Assignment, row: Line) -> list[str]:
    counted = row.standing.counted
    return [
        row.entry.student,
        row.entry.group,
        row.entry.name,
        row.points,
        number_text(assignment.max_points),
        counted.attempt.tag if counted else "",
        counted.attempt.at.isoformat() if counted else "",
        number_text(counted.cost_percent) if counted else "",
        str(row.standing.used),
        str(row.standing.refused),
    ]


def _canvas_row(row: Line) -> list[str]:
    entry = row.entry
    login = entry.sis_login_id or entry.student
    return [entry.name or entry.student, entry.canvas_id, entry.sis_user_id, login, entry.section, row.points]


def _moodle_row(assignment: Assignment, row: Line) -> list[str]:
    entry, counted = row.entry, row.standing.counted
    identifier = f"Participant {entry.moodle_id}" if entry.moodle_id else entry.student
    words = "Nothing was handed in."
    if counted is not None:
        words = f"Tag {counted.attempt.tag}; {plural(row.standing.used, 'attempt')}."
        if counted.cost_percent:
            words += f" {number_text(counted.cost_percent)}% was taken off."
    grade = [row.points, number_text(assignment.max_points), ""]
    return [identifier, entry.name or entry.student, entry.email, *grade, words]


def _text(rows: Iterable[list[str]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for number, row in enumerate(rows):
        is_canvas_total = number == 1 and row[0] == "    Points Possible"
        writer.writerow(row if is_canvas_total else [guard(cell) for cell in row])
    return buffer.getvalue()
