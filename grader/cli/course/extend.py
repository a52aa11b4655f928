"""Gives more time or attempts: to one student, or by a list."""

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
)
from grader.cli.options import as_value
from grader.errors import CatalogueError, Fault, UsageError
from grader.gradebook import staff
from grader.gradebook.event import Extended, Key
from grader.gradebook.history import History
from grader.gradebook.messages import moment_text
from grader.gradebook.queries import histories, known_names
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.regulations.quota import Quota
from grader.gradebook.roster import read_roster
from grader.gradebook.standing import charge
from grader.model.csv_table import read_table
from grader.model.words import plural
from grader.submit.course import FAILED, open_staff_course
from grader.submit.publish import publish_change, publish_stale

if TYPE_CHECKING:
    from grader.gradebook.roster import Roster
    from grader.model.regulations import Regulations
    from grader.submit.course import BookOptions, Course

_MOST_DAYS = 3650
_MOST_ATTEMPTS = 1000
_COLUMNS = ("student", "due", "days", "attempts", "why")
_readable = click.Path(path_type=Path, dir_okay=False, exists=True)


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
