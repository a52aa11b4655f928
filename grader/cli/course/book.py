"""Keeps the gradebook: who submitted what, what counts, what staff decide."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from tabulate import tabulate

from grader.cli.course.course_options import book_option, book_options, moment_option, nearest, roster_option
from grader.cli.course.regrade import by_option, regrade, warn
from grader.cli.course.simulate import simulate
from grader.cli.options import as_value
from grader.errors import UsageError
from grader.gradebook import export, staff
from grader.gradebook.event import Extended, Key, Voided
from grader.gradebook.history import History
from grader.gradebook.ledger import open_ledger
from grader.gradebook.messages import moment_text
from grader.gradebook.queries import find_attempt, histories, known_names
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.quota import Quota
from grader.gradebook.regulations.rule import number_text, plural
from grader.gradebook.roster import read_roster
from grader.gradebook.settle import sweep
from grader.gradebook.standing import standing
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line
from grader.submit.course import FAILED, open_staff_course
from grader.submit.publish import publish_change

if TYPE_CHECKING:
    from grader.gradebook.history import Attempt
    from grader.gradebook.ledger import Ledger
    from grader.gradebook.roster import Roster
    from grader.gradebook.standing import Standing
    from grader.model.regulations import Regulations
    from grader.submit.course import BookOptions, Course

_MOST_DAYS = 3650

why_option = click.option("--why", required=True, metavar="TEXT", help="The reason, kept for good and told.")


@click.group()
def book() -> None:
    """Keep the gradebook: history, export, extend, void, regrade, simulate."""


book.add_command(regrade)
book.add_command(simulate)


@book.command()
@book_option
def init(book: str) -> None:
    """Make an empty book, or bring an old one to this format."""
    click.echo(f"{open_ledger(book, create=True).name}: ready")


@book.command()
@click.argument("student", required=False)
@roster_option
@book_options
def history(student: str | None, roster: Path | None, place: BookOptions) -> None:
    """Show every attempt of STUDENT (or group), or what counts for the whole class."""
    regulations = choose_assignment(place.name, (), cases=place.cases).regulations
    ledger = open_ledger(place.book)
    sweep(ledger, now=datetime.now(UTC))
    past = histories(ledger, place.name)
    if student is None:
        rows = [_summary(party, standing(regulations, each)) for party, each in past.items()]
        click.echo(tabulate(rows, headers=("party", "points", "tag", "attempts", "refused"), disable_numparse=True))
        return
    today = read_roster(roster).party(student)
    parties = [name for name, each in past.items() if name in {student, today} or _is_of(each, student)]
    if not parties:
        raise UsageError(f"{student} has submitted nothing in {place.name}.", hint=nearest(student, past))
    for party in parties:
        if len(parties) > 1:
            click.echo(f"{clean_line(party)}:")
        click.echo(_attempts(regulations, past[party]))


@book.command("export")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "canvas", "moodle"]),
    default="csv",
    show_default=True,
    help="Whose columns to write.",
)
@click.option("--canvas-id", default="", metavar="ID", help="Canvas's number of the assignment.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="A file; the terminal by default.")
@roster_option
@book_options
def export_grades(place: BookOptions, kind: str, canvas_id: str, out: Path | None, roster: Path | None) -> int:
    """Write what counts, for a spreadsheet, Canvas or Moodle.

    Whatever the book holds and the file doesn't show is named on standard error, and makes the exit status 1.
    """
    assignment = choose_assignment(place.name, (), cases=place.cases)
    past = histories(open_ledger(place.book), assignment.name)
    found = export.export(assignment, past, read_roster(roster))
    if kind == "canvas":
        text = export.canvas(assignment, found.lines, assignment_id=canvas_id)
    else:
        text = export.moodle(assignment, found.lines) if kind == "moodle" else export.plain(assignment, found.lines)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.touch(mode=0o600)  # everybody's marks: staff's alone
        out.write_text(text, encoding="utf-8")
        click.echo(f"{out}: {plural(len(found.lines), 'student')}")
    for each in found.unmatched:
        points = plural(each.points, "point")
        click.echo(f"not in the export: {clean_line(each.who)}, {points}: {clean_line(each.why)}", err=True)
    return FAILED if found.unmatched else 0


class _Given(NamedTuple):
    """An extension, as the command line says it."""

    due: str | None
    days: float | None
    attempts: int
    anyway: bool
    why: str
    by: str
    roster: Path | None


@book.command()
@click.argument("student")
@click.option("--due", metavar="TIME", help="The new due date (ISO 8601 with offset).")
@click.option(
    "--days",
    type=click.FloatRange(min=0, min_open=True, max=_MOST_DAYS),
    help="So many days after the assignment's own.",
)
@click.option("--attempts", type=click.IntRange(min=0, max=1000), default=0, help="So many attempts more.")
@click.option("--anyway", is_flag=True, help="Also for a name that neither book nor class list has.")
@why_option
@by_option
@roster_option
@book_options
@as_value(_Given, "given")
def extend(student: str, place: BookOptions, given: _Given) -> int:
    """Give STUDENT (or the group) more time, more attempts, or both."""
    with open_staff_course(place, tell=warn) as course:
        roster = read_roster(given.roster)
        if not given.anyway:
            _check_student(course.ledger, roster, student)
        fine = _extend(course, Key(assignment=place.name, party=roster.party(student)), given)
    return 0 if fine else FAILED


def _extend(course: Course, key: Key, given: _Given) -> bool:
    ledger, regulations = course.ledger, course.assignment.regulations
    due = _new_due(regulations, given.due, given.days)
    if due is None and not given.attempts:
        raise click.UsageError("give --due, --days or --attempts")
    before = histories(ledger, key.assignment).get(key.party, History())
    extension = Extended(due=due, attempts=given.attempts, by=given.by, why=given.why)
    staff.extend(ledger, key, extension, now=datetime.now(UTC))
    after = histories(ledger, key.assignment)[key.party]
    click.echo(f"{key.party}: {_own_terms(regulations, after)}")
    fine = [publish_change(course, key, each) for each in _cheaper(regulations, before, after)]
    return all(fine)


@book.command()
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
            raise UsageError(f"{student} has no attempt {tag!r} in {place.name}.", hint=nearest(student, past))
        party, attempt = found
        key = Key(assignment=place.name, party=party)
        staff.void(course.ledger, key, attempt, fact=Voided(by=by, why=why), now=datetime.now(UTC))
        click.echo(f"{student}: {tag} is struck out")
        fine = publish_change(course, key, attempt)
    return 0 if fine else FAILED


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


def _check_student(ledger: Ledger, roster: Roster, student: str) -> None:
    """Refuse a name that nobody has: an extension for a slip of the pen would help nobody, and stay for good."""
    known = roster.names() or known_names(ledger)
    if student not in known:
        where = "in the class list" if roster.entries else "in the book"
        hint = f"{nearest(student, known)}. --roster gives the class list; --anyway takes the name as it is."
        raise UsageError(f"{student} is not {where}.", hint=hint)


def _is_of(history: History, student: str) -> bool:
    return any(student in {each.student, *each.received.members} for each in history.attempts)


def _cheaper(regulations: Regulations, before: History, after: History) -> list[Attempt]:
    """Find the attempts whose cost an extension lowered."""
    costs = {each.attempt.id: each.cost_percent for each in standing(regulations, before).attempts}
    now = standing(regulations, after).attempts
    return [each.attempt for each in now if each.attempt.counts and each.cost_percent != costs[each.attempt.id]]


def _summary(party: str, now: Standing) -> tuple[str, ...]:
    points = f"{now.points:g}/{now.counted.attempt.max_points:g}" if now.counted else "–"
    tag = now.counted.attempt.tag if now.counted else ""
    return clean_line(party), points, clean_line(tag), str(now.used), str(now.refused)


def _attempts(regulations: Regulations, history: History) -> str:
    now = standing(regulations, history)
    rows = []
    for each in now.attempts:
        attempt = each.attempt
        points = "" if attempt.points is None else f"{attempt.points:g}/{attempt.max_points:g}"
        mark = "counts" if now.counted is not None and each == now.counted else ""
        cost = f"-{number_text(each.cost_percent)}%" if each.cost_percent and attempt.points is not None else ""
        verdicts = " ".join(f"{name} {count}" for name, count in attempt.verdicts.items())
        number = "" if each.number is None else str(each.number)
        when = moment_text(attempt.at, regulations)
        rows.append((number, clean_line(attempt.tag), when, attempt.state, points, cost, mark, verdicts))
    table = tabulate(rows, headers=("", "tag", "received", "state", "points", "cost", "", ""), disable_numparse=True)
    notes = [f"{each.attempt.tag}: {each.attempt.text}" for each in now.attempts if each.attempt.text]
    return "\n".join([table, *(clean_line(note) for note in notes)])
