"""Enters into the book what no tag brought: a platform's download, folders, a repository at the due second."""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

import click

from grader.cli.course.course_options import by_option, entering_options, is_only_assignment, moment_option, nearest
from grader.cli.options import as_value, of_course
from grader.errors import GraderError, UsageError
from grader.forge.git import Repository
from grader.forge.tag import held_at
from grader.gradebook.event import Key, Via
from grader.gradebook.messages import moment_text
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.reserve import read_history
from grader.intake.entries import single_entry
from grader.model.csv_table import read_table
from grader.model.words import plural
from grader.report.clean import clean_line
from grader.submit.collect import Brought, Collector, has_handed_in
from grader.submit.course import FAILED, OUR_FAULT, open_course
from grader.submit.push import read_commit
from grader.uploads.hand_ins import read_times, sort_out
from grader.uploads.people import People

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.submit.course import Course, Entering


class _Asked(NamedTuple):
    """What is to be collected, and how it came."""

    times: tuple[Path, ...]
    received: str | None
    zone: str | None
    is_dry: bool
    whose: str | None
    why: str
    by: str
    is_at_due: bool
    branch: str
    everybody: bool


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--times",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="When each handed in: Moodle's grading worksheet, or a CSV with student,time.",
)
@click.option("--received", metavar="TIME", help="When those handed in of whom no list tells (ISO 8601 with offset).")
@click.option("--zone", metavar="ZONE", help="The time zone of the list, such as Asia/Taipei (else the course's).")
@click.option("-n", "--dry-run", "is_dry", is_flag=True, help="Show what would become of it; nothing is written.")
@click.option("--for", "whose", metavar="STUDENT", help="Hand PATH in for this student; --why says the reason.")
@click.option("--why", default="", metavar="TEXT", help="Why staff hand it in; kept for good and told.")
@by_option
@click.option(
    "--at-due", "is_at_due", is_flag=True, help="PATHS are git repositories: take their state when it was due."
)
@click.option(
    "--branch", default="", metavar="NAME", help="With --at-due: the branch; the repository's own by default."
)
@click.option("--everybody", is_flag=True, help="With --at-due: also of those who have an attempt.")
@entering_options
@as_value(_Asked, "asked")
def collect(paths: tuple[Path, ...], entering: Entering, asked: _Asked) -> int:
    """Enter uploads into the book, as if they were tags: late, counted, graded, told, and regraded later.

    PATHS are bulk downloads of Canvas or Moodle, or folders, zips and tars called as their students. Whatever is
    nobody's, or has no time, is named, and makes the exit status 1; nothing is guessed. The same download again
    changes nothing.
    """
    if asked.whose and (len(paths) > 1 or not asked.why.strip()):
        raise click.UsageError("--for takes one PATH, and --why")
    with (
        tempfile.TemporaryDirectory(prefix="grader-collect-") as place,
        open_course(entering, tell=_quiet, is_bulk=True) as course,
    ):
        if asked.is_at_due:
            brought, left = _snapshots(course, paths, asked)
        elif asked.whose:
            brought, left = [_handed_in(course, paths[0], asked)], []
        else:
            brought, left = _uploads(course, paths, asked, Path(place))
        statuses = _take_all(Collector(course, is_dry=asked.is_dry), brought)
    for line in left:
        click.echo(f"not collected: {clean_line(line)}", err=True)
    done = "would be collected" if asked.is_dry else "collected"
    click.echo(f"{plural(len(brought), 'hand-in')} {done}, {len(left)} left out.")
    return FAILED if left or OUR_FAULT in statuses else 0


def _take_all(collector: Collector, brought: Sequence[Brought]) -> list[int]:
    """Take them in the order in which they came, and say of each what became of it."""
    statuses = []
    for each in sorted(brought, key=lambda one: (one.at, one.student)):
        taken = collector.take(each)
        when = moment_text(each.at, collector.course.assignment.regulations)
        click.echo(clean_line(f"{each.student}  {taken.tag}  {when}  {taken.said}"))
        statuses.append(taken.status)
    return statuses


def _quiet(_: str) -> None:
    """Say nothing: the students' own words go into their reports."""


def _uploads(course: Course, paths: Sequence[Path], asked: _Asked, place: Path) -> tuple[list[Brought], list[str]]:
    if not course.roster.entries:
        raise UsageError("Uploads are matched to a class list, and there is none.", hint="--roster, or course.yaml")
    is_only = is_only_assignment(course.ledger, course.assignment.name)
    people = People(course.roster.entries, is_only_assignment=is_only)
    for path in asked.times:
        people.learn(read_table(path))
    times, left = _times(asked, people)
    found = sort_out(paths, course.assignment, people, place)
    brought = []
    for each in found.hand_ins:
        at = times.get(each.student)
        if at is None:
            left.append(f"{each.upload or each.entry.name}: nobody says when {each.student} handed it in (--times)")
            continue
        origin, read = each.upload or each.entry.path, partial(course.collect, each.entry)
        brought.append(Brought(each.student, at, Via.UPLOAD, origin, read, upload=each.upload))
    return brought, [*found.unmatched, *left]


def _times(asked: _Asked, people: People) -> tuple[dict[str, datetime], list[str]]:
    zone = _zone(asked.zone)
    times: dict[str, datetime] = {}
    strangers: list[str] = []
    for path in asked.times:
        found, unknown = read_times(path, people, zone)
        times |= found
        strangers += unknown
    if asked.received is not None:
        rest = moment_option("--received", asked.received)
        times = {name: times.get(name, rest) for name in (*people.students, *people.groups)}
    return times, strangers


def _zone(name: str | None) -> ZoneInfo | None:
    if name is None:
        found: ZoneInfo | None = of_course(lambda course: course.zone)
        return found
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise UsageError(f"There is no time zone {name!r}.", hint="Such as Europe/Berlin") from error


def _handed_in(course: Course, path: Path, asked: _Asked) -> Brought:
    """Hand one path in for a student, under the staff's own time unless they say another."""
    assert asked.whose is not None
    known = course.roster.names()
    if known and asked.whose not in known:
        raise UsageError(f"{asked.whose} is not in the class list.", hint=nearest(asked.whose, known))
    if not path.exists():
        raise UsageError(f"There is no {path}.")
    at = moment_option("--received", asked.received) if asked.received else datetime.now(UTC).replace(microsecond=0)
    read = partial(course.collect, single_entry(path, course.assignment))
    return Brought(asked.whose, at, Via.STAFF, str(path.absolute()), read, by=asked.by, why=asked.why)


def _snapshots(course: Course, paths: Sequence[Path], asked: _Asked) -> tuple[list[Brought], list[str]]:
    brought, left = [], []
    for path in paths:
        try:
            brought.append(_snapshot(course, Repository(path), asked))
        except GraderError as error:
            left.append(f"{path}: {error.message}")
    return brought, left


def _snapshot(course: Course, repository: Repository, asked: _Asked) -> Brought:
    student = repository.owner
    if course.roster.entries and student not in course.roster.names():
        raise UsageError(f"{student} is not in the class list")
    due = _own_due(course, student)
    if due > datetime.now(UTC):
        raise UsageError(f"{student} has time until {moment_text(due, course.assignment.regulations)}")
    tag = has_handed_in(course, student)
    if tag and not asked.everybody:
        raise UsageError(f"{student} handed in already ({tag})")
    held = held_at(repository, due, branch=asked.branch)
    if held is None:
        raise UsageError("nothing was there then, or no log says when it came (core.logAllRefUpdates=always)")
    read = partial(read_commit, repository, held.commit, student=student, assignment=course.assignment)
    why = asked.why or "the state of the repository at the due second"
    origin = str(repository.path.absolute())
    brought = Brought(student, held.since, Via.SNAPSHOT, origin, read, by=asked.by, why=why, commit=held.commit)
    return brought._replace(private=repository.is_private())


def _own_due(course: Course, student: str) -> datetime:
    """Return when it is due for this student, extensions included."""
    key = Key(assignment=course.assignment.name, party=course.roster.party(student))
    with course.ledger.reading() as connection:
        now = read_history(course.ledger, connection, key).before(datetime.now(UTC))
    rules = rules_of(course.assignment.regulations)
    due = next((rule.own_due(now) for rule in rules if isinstance(rule, DueDate)), None)
    if due is None:
        raise UsageError(f"{course.assignment.name} has no due date")
    return due
