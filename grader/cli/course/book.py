"""Keeps the gradebook: who submitted what, what counts, what goes out; proves, copies and clears it."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from tabulate import tabulate

from grader.atomic_write import replacing
from grader.cli.course.course_options import (
    book_option,
    book_options,
    by_option,
    is_only_assignment,
    nearest,
    roster_option,
    warn,
    why_option,
)
from grader.cli.course.regrade import regrade
from grader.cli.course.staff import adjust, extend, rubric, void, withdraw
from grader.cli.options import as_value, of_course
from grader.errors import UsageError
from grader.gradebook import check as checking
from grader.gradebook import export
from grader.gradebook.event import Forgotten
from grader.gradebook.forgetting import Person, reports_of
from grader.gradebook.forgetting import forget as erase
from grader.gradebook.history import histories, known_names
from grader.gradebook.ledger import open_ledger
from grader.gradebook.messages import came_text, moment_text
from grader.gradebook.roster import read_roster
from grader.gradebook.settle import sweep
from grader.gradebook.standing import standing
from grader.model.csv_table import read_table
from grader.model.file_names import cache_folder
from grader.model.words import number_text, plural
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line
from grader.submit.course import FAILED
from grader.uploads.marks import Column, fill
from grader.uploads.people import People

if TYPE_CHECKING:
    from grader.gradebook.check import Checked
    from grader.gradebook.export import Line
    from grader.gradebook.history import Attempt, History
    from grader.gradebook.standing import Charged, Standing
    from grader.model.assignment import Assignment
    from grader.submit.course import BookOptions
_file = click.Path(path_type=Path, dir_okay=False)
_Left = tuple[str, float, str]
"""A student, points that no line shows, and why."""


@click.group()
def book() -> None:
    """Keep the gradebook: who submitted what, what counts, what staff decide."""


for command in (regrade, extend, void, adjust, rubric, withdraw):
    book.add_command(command)


@book.command()
@book_option
def init(book: str) -> None:
    """Make an empty book."""
    click.echo(f"{open_ledger(book, create=True).name}: ready")


@book.command()
@click.argument("student", required=False)
@roster_option
@book_options
def history(student: str | None, roster: Path | None, place: BookOptions) -> None:
    """Show every attempt of STUDENT (or group), or what counts for the whole class."""
    assignment = choose_assignment(place.name, (), cases=place.cases)
    ledger = open_ledger(place.book)
    sweep(ledger, now=datetime.now(UTC))
    past = histories(ledger, place.name)
    if student is None:
        rows = [_summary(party, assignment, standing(assignment.regulations, each)) for party, each in past.items()]
        click.echo(tabulate(rows, headers=("party", "points", "tag", "attempts", "refused"), disable_numparse=True))
        return
    today = read_roster(roster).of(assignment.name).party(student)
    parties = [name for name, each in past.items() if name in {student, today} or _is_of(each, student)]
    if not parties:
        raise UsageError(f"{student} has submitted nothing in {place.name}.", hint=nearest(student, past))
    for party in parties:
        if len(parties) > 1:
            click.echo(f"{clean_line(party)}:")
        click.echo(_attempts(assignment, past[party]))


@book.command()
@click.option("--head", default="", metavar="HEAD", help="A head that was told before: the book must still begin so.")
@book_option
def check(book: str, head: str) -> None:
    """Prove that the book is what was written: every event, their order, every sheet and file.

    It ends with the head, the last event's digest: whoever notes it elsewhere can prove later that nothing has gone.
    """
    click.echo(_proved(book, checking.check(open_ledger(book), head=head)))


@book.command()
@click.argument("file", type=_file)
@book_option
def backup(file: Path, book: str) -> None:
    """Copy one moment of a SQLite book to FILE, a book again, while graders go on; proved before it has its name."""
    click.echo(_proved(str(file), checking.back_up(open_ledger(book), file)))


@book.command()
@click.argument("student")
@click.option("--also", multiple=True, metavar="NAME", help="Another name, to be erased from staff's words as well.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@why_option
@by_option
@roster_option
@book_option
def forget(student: str, also: tuple[str, ...], yes: bool, roster: Path | None, **said: str) -> None:
    """Erase STUDENT's name, files, sheets and reports; points stay under a pseudonym.

    Where a name is left in the words of others, that is said. The cache is emptied. It can't be undone, and a backup
    still has it.
    """
    ledger = open_ledger(said["book"])
    known = known_names(ledger)
    if student not in known:
        raise UsageError(f"{student} is not in the book.", hint=nearest(student, known))
    if not yes:
        click.confirm(f"Erase {student} from {ledger.name} for good?", abort=True)
    entry = next((each for each in read_roster(roster).entries if each.student == student), None)
    names = (entry.name, entry.email, entry.sis_login_id, entry.sis_user_id) if entry else ()
    _remove(reports_of(ledger, student))  # first: a run that was killed can then be repeated
    for path in cache_folder().glob("runs.sqlite*"):
        path.unlink(missing_ok=True)
    person = Person(student=student, names=tuple(filter(None, names)), also=also)
    done = erase(ledger, person, fact=Forgotten(by=said["by"], why=said["why"]), now=datetime.now(UTC))
    click.echo(
        f"{done.pseudonym}: {plural(done.events, 'event')} rewritten, {plural(done.contents, 'content')} erased"
    )
    for place in done.still_named:
        warn(f"a name is left in {place}")
    warn("Not touched: repositories, class lists, backups, hook.log, issues on a host. Earlier heads hold no more.")


def _proved(name: str, checked: Checked) -> str:
    return (
        f"{name}: {plural(checked.events, 'event')} and {plural(checked.contents, 'content')} as they were written; "
        f"head {checked.head}"
    )


def _remove(folders: tuple[str, ...]) -> None:
    """Remove report folders that are on this machine, and the student's own folder once it is empty."""
    for folder in map(Path, folders):
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            warn(f"{folder} could not be removed")
        elif folder.parent.is_dir() and not any(folder.parent.iterdir()):
            folder.parent.rmdir()


def _is_of(history: History, student: str) -> bool:
    return any(student in {each.student, *each.received.members} for each in history.attempts)


def _summary(party: str, assignment: Assignment, now: Standing) -> tuple[str, ...]:
    counted = now.counted
    most = number_text(counted.attempt.max_points + assignment.rubric_points) if counted else ""
    points = f"{number_text(now.points)}/{most}" if counted else "–"
    tag = counted.attempt.tag if counted else ""
    return clean_line(party), points, clean_line(tag), str(now.used), str(now.refused)


def _attempts(assignment: Assignment, history: History) -> str:
    now = standing(assignment.regulations, history)
    rows = [_attempt(assignment, each, is_counted=each == now.counted) for each in now.attempts]
    heads = ("", "tag", "received", "state", "points", "staff", "cost", "total", "", "")
    table = tabulate(rows, headers=heads, disable_numparse=True)
    own = [each.attempt for each in now.attempts]
    notes = [f"{each.tag}: {text}" for each in own for text in (_came(each), each.text) if text]
    return "\n".join([table, *(clean_line(note) for note in (*notes, *_given(history)))])


def _came(attempt: Attempt) -> str:
    """Say how it came, if by staff, and which of them."""
    text = came_text(attempt.received)
    return f"{text} ({attempt.received.by})" if text else ""


def _attempt(assignment: Assignment, each: Charged, *, is_counted: bool) -> tuple[str, ...]:
    attempt = each.attempt
    is_graded = attempt.points is not None
    points = f"{number_text(attempt.points or 0)}/{number_text(attempt.max_points)}" if is_graded else ""
    people = number_text(attempt.people_points) if attempt.adjustments else ""
    cost = f"-{number_text(each.cost_percent)}%" if each.cost_percent and is_graded else ""
    total = number_text(each.points) if is_graded and attempt.counts else ""
    verdicts = " ".join(f"{name} {count}" for name, count in attempt.verdicts.items())
    number = "" if each.number is None else str(each.number)
    when = moment_text(attempt.at, assignment.regulations)
    mark = "counts" if is_counted else ""
    return number, clean_line(attempt.tag), when, attempt.state, points, people, cost, total, mark, verdicts


def _given(history: History) -> list[str]:
    """Tell what staff gave and took, with the numbers by which it can be withdrawn, and what they changed."""
    lines = []
    for number, fact in zip(history.extension_numbers, history.extensions, strict=True):
        more = f"due {fact.due.isoformat()}" if fact.due else ""
        parts = [part for part in (more, plural(fact.attempts, "attempt") if fact.attempts else "") if part]
        lines.append(f"[{number}] extension: {', '.join(parts)}; {fact.why} (by {fact.by})")
    for attempt in history.attempts:
        for each in attempt.adjustments:
            said = f": {each.fact.why}" if each.fact.why else ""
            points = number_text(each.fact.points)
            lines.append(f"[{each.number}] {attempt.tag}, {each.fact.about}, {points}{said} (by {each.fact.by})")
    told = [f"{each.tag}: {change.text(is_silent=False)}" for each in history.attempts for change in each.changes]
    return [*lines, *told]


class _Asked(NamedTuple):
    """In which form, and where to."""

    kind: str
    canvas_id: str | None
    into: Path | None
    column: str
    is_scaled: bool
    out: Path | None
    roster: Path | None


@book.command("export")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "canvas", "moodle"]),
    default="csv",
    show_default=True,
    help="Whose columns to write.",
)
@click.option("--canvas-id", metavar="ID", help="Canvas's number of the assignment (else the course's).")
@click.option(
    "--into",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A Canvas gradebook or Moodle worksheet: write it again with the marks, every other cell kept.",
)
@click.option("--column", default="", metavar="NAME", help="With --into: the column, when it can't be told.")
@click.option("--scale", "is_scaled", is_flag=True, help="With --into: convert marks to the platform's points.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="A file; the terminal by default.")
@roster_option
@book_options
@as_value(_Asked, "asked")
def export_grades(place: BookOptions, asked: _Asked) -> int:
    """Write what counts, for a spreadsheet, Canvas or Moodle.

    Whatever the book holds and the file doesn't show is named on standard error, and makes the exit status 1.
    """
    assignment = choose_assignment(place.name, (), cases=place.cases)
    ledger = open_ledger(place.book)
    past = histories(ledger, assignment.name)
    found = export.export(assignment, past, read_roster(asked.roster).of(assignment.name))
    canvas_id = asked.canvas_id or of_course(lambda course: course.canvas_id(assignment.name), "")
    left = [(each.who, each.points, each.why) for each in found.unmatched]
    count = len(found.lines)
    if asked.into is not None:
        marks = {line.entry.student: line.points for line in found.lines}
        most = assignment.max_points + assignment.rubric_points
        column = Column(assignment.title, most, canvas_id, asked.column, asked.is_scaled)
        is_only = is_only_assignment(ledger, assignment.name)
        people = People((line.entry for line in found.lines), is_only_assignment=is_only)
        filled = fill(read_table(asked.into), marks, people, column)
        content, count = filled.content, filled.written
        left += [(name, float(marks[name]), why) for name, why in filled.left]
    else:
        lines = found.lines
        if asked.kind != "csv":
            lines, misplaced = _placed(lines, asked.kind, is_only=is_only_assignment(ledger, assignment.name))
            left += misplaced
        content = _text(assignment, lines, asked.kind, canvas_id).encode()
    _write(content, asked.out, count)
    for who, points, why in left:
        click.echo(f"not in the export: {clean_line(who)}, {plural(points, 'point')}: {clean_line(why)}", err=True)
    return FAILED if left else 0


def _placed(lines: tuple[Line, ...], kind: str, *, is_only: bool) -> tuple[tuple[Line, ...], list[_Left]]:
    """Return the lines that reach their student, and the marks of the others."""
    why = export.misplaced(kind, lines, is_only_assignment=is_only)
    gone = [line for line in lines if line.points and line.entry.student in why]
    return tuple(line for line in lines if line not in gone), [
        (line.entry.student, float(line.points), why[line.entry.student]) for line in gone
    ]


def _text(assignment: Assignment, lines: tuple[Line, ...], kind: str, canvas_id: str) -> str:
    if kind == "canvas":
        return export.canvas(assignment, lines, assignment_id=canvas_id)
    return export.moodle(assignment, lines) if kind == "moodle" else export.plain(assignment, lines)


def _write(content: bytes, out: Path | None, count: int) -> None:
    if out is None:
        click.echo(content.decode("utf-8", "replace"), nl=False)
        return
    with replacing(out, private=True) as file:  # everybody's marks: staff's alone
        file.write(content)
    click.echo(f"{out}: {plural(count, 'student')}")
