"""Takes people's judgements: points and comments beside the machine's, one by one or by a sheet."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli.course.course_options import book_options, by_option, warn, why_option
from grader.cli.options import as_value
from grader.errors import UsageError
from grader.gradebook import staff
from grader.gradebook.event import Key, Withdrawn
from grader.gradebook.judging import Entry, Marker, Said, sheet_to_fill
from grader.gradebook.queries import histories
from grader.model.words import number_text, plural
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line
from grader.submit.course import FAILED, open_staff_course
from grader.submit.publish import publish_change, publish_stale

if TYPE_CHECKING:
    from grader.gradebook.event import Adjusted
    from grader.gradebook.history import Attempt, History
    from grader.submit.course import BookOptions, Course

_readable = click.Path(path_type=Path, dir_okay=False, exists=True)


class _Judged(NamedTuple):
    """A judgement, as the command line says it."""

    points: float | None
    item: str
    case: str
    at: str
    why: str
    by: str
    sheet: Path | None
    is_applied: bool


@click.command()
@click.argument("student", required=False)
@click.argument("tag", required=False)
@click.option("--points", type=float, help="Given, or taken when negative.")
@click.option("--item", default="", metavar="ID", help="An item of the assignment's rubric.")
@click.option("--case", default="", metavar="ID", help="The case that it is about.")
@click.option("--at", default="", metavar="FILE:LINE", help="The line of the source that it is about.")
@click.option("--why", default="", metavar="TEXT", help="The reason or comment, kept for good and told.")
@click.option("--csv", "sheet", type=_readable, help="A filled sheet instead, as `book rubric --csv` writes it.")
@click.option("--apply", "is_applied", is_flag=True, help="With --csv: write it; without it is only shown.")
@by_option
@book_options
@as_value(_Judged, "judged")
def adjust(place: BookOptions, student: str | None, tag: str | None, judged: _Judged) -> int:
    """Put points or a comment of the staff's on STUDENT's attempt TAG (the one that counts by default).

    They stay beside the machine's points through every regrading. One place (rubric item, case, line, or the whole
    attempt) has one judgement: a later one replaces it.
    """
    sheet = judged.sheet
    if (sheet is None) == (student is None):
        raise click.UsageError("give STUDENT, or a sheet with --csv")
    with open_staff_course(place, tell=warn) as course:
        past = histories(course.ledger, place.name)
        marker = Marker(course.assignment, course.ledger, past, judged.by)
        entries = marker.read(sheet) if sheet else (marker.entry(_said(student or "", tag or "", judged)),)
        news = [each for each in entries if each.is_new]
        for each in news:
            click.echo(_line(each))
        if sheet is not None and not judged.is_applied:
            known = len(entries) - len(news)
            same = f"; {plural(known, 'judgement')} as in the book" if known else ""
            click.echo(f"{plural(len(news), 'judgement')} new{same}. Nothing is written yet: --apply does.")
            return 0
        fine = all([_write(course, news), publish_stale(course, past)])
    click.echo(f"{plural(len(news), 'judgement')} written.")
    return 0 if fine else FAILED


@click.command()
@click.option(
    "--csv", "out", type=click.Path(path_type=Path, dir_okay=False), help="A file; the terminal by default."
)
@book_options
def rubric(out: Path | None, place: BookOptions) -> None:
    """Write the sheet that a marker fills: the rubric's items for every attempt that counts.

    Then: grader book adjust --csv FILE. Points and comments that are in the book already stand in it.
    """
    with open_staff_course(place, tell=warn) as course:
        text = sheet_to_fill(course.assignment, histories(course.ledger, place.name))
    if out is None:
        click.echo(text, nl=False)
        return
    out.touch(mode=0o600)
    out.write_text(text, encoding="utf-8")
    click.echo(f"{out}: {plural(text.count(chr(10)) - 1, 'row')} to judge")


@click.command()
@click.argument("number", type=click.IntRange(min=1))
@why_option
@by_option
@book_options
def withdraw(number: int, place: BookOptions, why: str, by: str) -> int:
    """Take back the adjustment or extension NUMBER, as `book history STUDENT` numbers them."""
    assignment = choose_assignment(place.name, (), cases=place.cases)
    with open_staff_course(place, tell=warn) as course:
        past = histories(course.ledger, assignment.name)
        is_fine = publish_stale(course, past)
        party, attempt = _find(past, number)
        key, fact = Key(assignment=assignment.name, party=party), Withdrawn(event=number, by=by, why=why)
        staff.withdraw(course.ledger, key, fact, attempt=attempt, now=datetime.now(UTC))
        click.echo(f"{clean_line(party)}: {number} is withdrawn")
        is_fine &= publish_change(course, key, attempt) if attempt else True
    return 0 if is_fine else FAILED


def _said(student: str, tag: str, judged: _Judged) -> Said:
    """Return the command line as a row of the sheet."""
    path, _, line = judged.at.rpartition(":")
    if judged.at and (not path or not line.isdecimal()):
        raise click.UsageError("--at is FILE:LINE, such as solve.py:12")
    points = "" if judged.points is None else str(judged.points)
    where = {"item": judged.item, "case": judged.case, "file": path, "line": line}
    return Said(student=student, tag=tag, **where, points=points, comment=judged.why)


def _line(entry: Entry) -> str:
    fact, before = entry.fact, entry.before
    replaced = f", instead of {_points(before.points)} by {before.by}" if before else ""
    given = f" {_points(fact.points)}" if fact.points or fact.item else ""
    why = f": {fact.why}" if fact.why else ""
    return clean_line(f"{entry.attempt.student} {entry.attempt.tag}: {fact.about}{given}{replaced}{why}")


def _points(points: float) -> str:
    return f"{'+' if points > 0 else ''}{number_text(points)}"


def _write(course: Course, entries: list[Entry]) -> bool:
    """Write attempt by attempt, and let each reach its student."""
    facts: dict[str, list[Adjusted]] = {}
    for each in entries:
        facts.setdefault(each.attempt.id, []).append(each.fact)
    owners = {each.attempt.id: each for each in entries}
    fine = []
    for name, own in facts.items():
        key = Key(assignment=course.assignment.name, party=owners[name].party)
        staff.adjust(course.ledger, key, name, own, now=datetime.now(UTC))
        fine.append(publish_change(course, key, owners[name].attempt))
    return all(fine)


def _find(past: dict[str, History], number: int) -> tuple[str, Attempt | None]:
    for party, history in past.items():
        if number in history.extension_numbers:
            return party, None
        for attempt in history.attempts:
            if any(each.number == number for each in attempt.adjustments):
                return party, attempt
    raise UsageError(
        f"{number} is no adjustment or extension that holds.", hint="grader book history STUDENT numbers them."
    )
