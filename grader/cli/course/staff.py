"""What staff decide: more time or attempts, an attempt struck out, points and comments of their own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from grader.cli.course.course_options import (
    book_options,
    by_option,
    moment_option,
    nearest,
    roster_option,
    warn,
    why_option,
)
from grader.cli.options import as_value
from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook import staff
from grader.gradebook.event import Extended, Key, Voided, Withdrawn
from grader.gradebook.history import History, find_attempt, histories, known_names
from grader.gradebook.judging import Entry, Marker, Said, sheet_to_fill
from grader.gradebook.messages import moment_text
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.quota import Quota
from grader.gradebook.roster import read_roster
from grader.gradebook.standing import charge
from grader.model.csv_table import read_table
from grader.model.words import number_text, plural
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line
from grader.submit.course import FAILED, open_staff_course
from grader.submit.publish import publish_change, publish_stale

if TYPE_CHECKING:
    from grader.gradebook.event import Adjusted
    from grader.gradebook.history import Attempt
    from grader.gradebook.roster import Roster
    from grader.model.regulations import Regulations
    from grader.submit.course import BookOptions, Course

_readable = click.Path(path_type=Path, dir_okay=False, exists=True)
_MOST_DAYS = 3650
_MOST_ATTEMPTS = 1000
_COLUMNS = ("student", "due", "days", "attempts", "why")


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


class _Given(NamedTuple):
    """An extension, as the command line says it."""

    due: str | None
    days: float | None
    attempts: int
    why: str
    by: str


class _From(NamedTuple):
    """Where extensions come from, and how sure they must be."""

    sheet: Path | None
    is_applied: bool
    roster: Path | None
    anyway: bool


@click.command()
@click.argument("student", required=False)
@click.option("--due", metavar="TIME", help="The new due date (ISO 8601 with offset).")
@click.option(
    "--days",
    type=click.FloatRange(min=0, min_open=True, max=_MOST_DAYS),
    help="So many days after the assignment's own.",
)
@click.option("--attempts", type=click.IntRange(min=0, max=_MOST_ATTEMPTS), default=0, help="So many attempts more.")
@click.option("--why", default="", metavar="TEXT", help="The reason, kept for good and told.")
@click.option("--csv", "sheet", type=_readable, help="A list instead: student,due,days,attempts,why.")
@click.option("--apply", "is_applied", is_flag=True, help="With --csv: write it; without it is only shown.")
@click.option("--anyway", is_flag=True, help="Also for a name that neither book nor class list has.")
@by_option
@roster_option
@book_options
@as_value(_Given, "given")
@as_value(_From, "source")
def extend(student: str | None, place: BookOptions, given: _Given, source: _From) -> int:
    """Give STUDENT (or the group) more time, more attempts, or both; or many by a list.

    `book withdraw` takes one back. What is in the book already is given once, however often a list is applied.
    """
    if (source.sheet is None) == (student is None):
        raise click.UsageError("give STUDENT, or a list with --csv")
    with open_staff_course(place, tell=warn) as course:
        roster = read_roster(source.roster).of(place.name)
        desk = _Desk(course, roster, None if source.anyway else roster.names() or known_names(course.ledger))
        wanted = desk.read(source.sheet, given.by) if source.sheet else [desk.checked(student or "", given)]
        if source.sheet is None or source.is_applied:
            fine = [_give(course, key, extension) for key, extension in wanted]
            fine.append(publish_stale(course, histories(course.ledger, place.name)))
            return 0 if all(fine) else FAILED
        past = histories(course.ledger, place.name)
        for key, extension in wanted:
            before = past.get(key.party, History())
            after = msgspec.structs.replace(before, extensions=(*before.extensions, extension))
            click.echo(f"{key.party}: {_own_terms(course.assignment.regulations, after)}: {extension.why}")
        click.echo(f"{plural(len(wanted), 'extension')}. Nothing is written yet: --apply does.")
    return 0


class _Desk(NamedTuple):
    """Where extensions are checked and given."""

    course: Course
    roster: Roster
    known: set[str] | None
    """Names that may be given something; None for every name."""

    def read(self, path: Path, by: str) -> list[tuple[Key, Extended]]:
        """Read a list; every fault is told with its line."""
        faults: list[Fault] = []
        found: list[tuple[Key, Extended]] = []
        table = read_table(path).need("student", "why", known=_COLUMNS)
        for line in table.lines:
            row = table.row(line, _COLUMNS)
            try:
                found.append(self.checked(row["student"], _given(row, by)))
            except (UsageError, click.UsageError) as error:
                hint = error.hint if isinstance(error, UsageError) else ""
                faults.append(table.fault(line, error.message.rstrip("."), hint))
        if faults:
            raise CatalogueError(faults)
        return list(dict.fromkeys(found))

    def checked(self, student: str, given: _Given) -> tuple[Key, Extended]:
        """Return an extension; raise UsageError for one that can't be meant."""
        regulations = self.course.assignment.regulations
        if self.known is not None and student not in self.known:
            where = "in the class list" if self.roster.entries else "in the book"
            hint = f"{nearest(student, self.known)}. --roster gives the class list; --anyway takes the name as it is."
            raise UsageError(f"{student or 'a line without a name'} is not {where}.", hint=hint)
        due = _new_due(regulations, given.due, given.days)
        if due is None and not given.attempts:
            raise click.UsageError("give --due, --days or --attempts")
        if not given.why.strip():
            raise click.UsageError("give the reason with --why")
        key = Key(assignment=self.course.assignment.name, party=self.roster.party(student))
        return key, Extended(due=due, attempts=given.attempts, by=given.by, why=given.why)


def _give(course: Course, key: Key, extension: Extended) -> bool:
    """Write one extension, and let what it makes cheaper reach the student."""
    regulations = course.assignment.regulations
    before = histories(course.ledger, key.assignment).get(key.party, History())
    is_new = staff.extend(course.ledger, key, extension, now=datetime.now(UTC))
    after = histories(course.ledger, key.assignment)[key.party]
    click.echo(f"{key.party}: {_own_terms(regulations, after)}{'' if is_new else ' (as before)'}")
    costs = {each.attempt.id: each.cost_percent for each in charge(regulations, before)}
    able = [each for each in charge(regulations, after) if each.attempt.counts]
    cheaper = [each.attempt for each in able if each.cost_percent != costs[each.attempt.id]]
    fine = [publish_change(course, key, each) for each in cheaper]
    return all(fine)


def _given(row: dict[str, str], by: str) -> _Given:
    try:
        days = float(row["days"]) if row["days"] else None
        attempts = int(row["attempts"] or 0)
    except ValueError:
        raise UsageError(f"days {row['days']!r} or attempts {row['attempts']!r} is no number") from None
    if (days is not None and not 0 < days <= _MOST_DAYS) or not 0 <= attempts <= _MOST_ATTEMPTS:
        raise UsageError(f"at most {_MOST_DAYS} days and {_MOST_ATTEMPTS} attempts can be given, and none taken")
    return _Given(row["due"] or None, days, attempts, row["why"], by)


def _new_due(regulations: Regulations, due: str | None, days: float | None) -> datetime | None:
    if regulations.due is None and (due is not None or days is not None):
        raise UsageError("This assignment has no due date.", hint="Only --attempts can be given.")
    if days is not None and regulations.due is not None:
        return regulations.due + timedelta(days=days)
    if due is None:
        return None
    moment = moment_option("--due", due)
    if regulations.due and not regulations.due < moment <= datetime.now(UTC) + timedelta(days=_MOST_DAYS):
        raise UsageError(
            f"--due {due} is no extension.",
            hint=f"Give a moment after {moment_text(regulations.due, regulations)}, within the next ten years.",
        )
    return moment


def _own_terms(regulations: Regulations, history: History) -> str:
    """Say what holds for this party after all its extensions."""
    now = history.before(datetime.now(UTC))
    parts = []
    for rule in rules_of(regulations):
        if isinstance(rule, DueDate):
            parts.append(f"due {moment_text(rule.own_due(now), regulations)}")
        if isinstance(rule, Quota):
            parts.append(plural(rule.own_attempts(now), "attempt"))
    return ", ".join(parts) or "no limits anyway"


@click.command()
@click.argument("student")
@click.argument("tag")
@why_option
@by_option
@book_options
def void(student: str, tag: str, place: BookOptions, why: str, by: str) -> int:
    """Strike out STUDENT's attempt TAG: it neither costs nor counts, and the student is told why."""
    with open_staff_course(place, tell=warn) as course:
        past = histories(course.ledger, place.name)
        found = find_attempt(past, student, tag)
        if found is None:
            tags = [each.tag for own in past.values() for each in own.attempts if each.student == student]
            hint = f"There are: {', '.join(tags)}" if tags else nearest(student, past)
            raise UsageError(f"{student} has no attempt {tag!r} in {place.name}.", hint=hint)
        party, attempt = found
        key = Key(assignment=place.name, party=party)
        staff.void(course.ledger, key, attempt, fact=Voided(by=by, why=why), now=datetime.now(UTC))
        click.echo(f"{student}: {tag} is struck out")
        fine = publish_change(course, key, attempt)
    return 0 if fine else FAILED
