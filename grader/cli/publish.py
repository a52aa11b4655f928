"""Tells a result to everyone: report files, the pusher's terminal, the tag's issue."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from grader.cli.course import FAILED, OUR_FAULT, PASSED
from grader.errors import GraderError
from grader.forge.issue import Notice, title_for
from grader.gradebook.reserve import read_history
from grader.gradebook.standing import standing
from grader.gradebook.terms import terms
from grader.gradebook.words import number_text
from grader.model.verdict import Audience, Verdict
from grader.report import markdown, results, terminal
from grader.report.formats import SHEET_FORMATS, reporter
from grader.report.layout import RESULTS, folder_name, write_atomically
from grader.report.view import SheetView, view

if TYPE_CHECKING:
    from pathlib import Path

    from grader.cli.course import Course
    from grader.gradebook.reserve import Arrival
    from grader.model.result import GradeSheet


def remark(course: Course, arrival: Arrival) -> str:
    """Say what the attempt costs and what counts by now."""
    regulations = course.assignment.regulations
    with course.ledger.reading() as connection:
        now = standing(regulations, read_history(course.ledger, connection, arrival.key))
    mine = (arrival.student, arrival.tag)
    own = next(
        (each for each in now.attempts if each.number and (each.attempt.student, each.attempt.tag) == mine), None
    )
    words = []
    if own is not None and own.cost_percent:
        words.append(f"{number_text(own.cost_percent)}% is taken off this attempt: {own.points:g} points.")
    if now.counted is not None:
        counted = now.counted.attempt
        total = f"{number_text(now.points)} of {number_text(counted.max_points)} points"
        words.append(f"What counts by now: {total} ({regulations.counts} attempt, {counted.tag}).")
    return " ".join(words)


def publish(course: Course, arrival: Arrival, sheet: GradeSheet, *, words: str) -> None:
    """Write every report, tell the student, bring the issue up to date."""
    shown = view(sheet, _audience(course, arrival))
    folder = report_folder(course.out, arrival.student, arrival.tag)
    for name in course.formats:
        if name in SHEET_FORMATS:
            write_atomically(folder / SHEET_FORMATS[name][0], reporter(name).render(shown))
    if "json" in course.formats:
        write_atomically(folder / RESULTS, results.render(shown))
    course.tell(terminal.render(shown).rstrip())
    course.tell(words)
    body = f"{markdown.words(words)}\n\n{markdown.render(shown)}"
    address = post(course, arrival, body=body, labels=_labels(sheet, shown))
    if address:
        course.tell(f"Issue: {address}")


def report_folder(out: Path, student: str, tag: str) -> Path:
    return out / folder_name(student) / folder_name(tag)


def _audience(course: Course, arrival: Arrival) -> Audience:
    """Open what waits for the due date only to a party that can submit no more."""
    try:
        with course.ledger.reading() as connection:
            own = terms(course.assignment.regulations, read_history(course.ledger, connection, arrival.key))
    except GraderError:  # the report is owed even when the book has gone
        return Audience.STUDENT
    return Audience.STUDENT_AFTER_DUE if own.lateness(datetime.now(UTC)) is None else Audience.STUDENT


def _labels(sheet: GradeSheet, shown: SheetView) -> tuple[str, ...]:
    """Give the state, and the verdicts of the cases that the student may see."""
    state = {PASSED: "passed", FAILED: "failed", OUR_FAULT: "our fault"}[status(sheet)]
    verdicts = {case.verdict for case in shown.cases if case.verdict not in {None, Verdict.AC}}
    return (state, *sorted(str(verdict) for verdict in verdicts))


def status(sheet: GradeSheet) -> int:
    if any(case.verdict is Verdict.JE for case in sheet.cases):
        return OUR_FAULT
    passed = not sheet.problem and sheet.cases and all(case.verdict is Verdict.AC for case in sheet.cases)
    return PASSED if passed else FAILED


def post(course: Course, arrival: Arrival, *, body: str, labels: tuple[str, ...]) -> str:
    """Open or update the tag's issue, give its address; a host that fails is told, and costs nobody a result."""
    if course.host is None:
        return ""
    title = title_for(course.assignment.title, arrival.tag)
    try:
        return course.host.post(Notice(title=title, body=body, labels=labels))
    except GraderError as error:
        course.tell(f"The issue could not be posted. {error}")
        return ""
