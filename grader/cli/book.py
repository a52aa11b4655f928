"""Keeps the gradebook: who submitted what, what counts, what staff decide."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from tabulate import tabulate

from grader.cli.enter import book_option, name_option, roster_option
from grader.cli.moment import read_moment
from grader.cli.options import cases_option
from grader.cli.regrade import regrade
from grader.cli.simulate import simulate
from grader.errors import UsageError
from grader.gradebook import amend, export
from grader.gradebook.event import Extended, Key, Voided
from grader.gradebook.ledger import open_ledger
from grader.gradebook.readings import find_attempt, histories
from grader.gradebook.roster import read_roster
from grader.gradebook.settle import sweep
from grader.gradebook.standing import standing
from grader.gradebook.terms import terms
from grader.gradebook.words import moment_text, number_text, plural
from grader.pipeline.choose import choose_assignment
from grader.report.clean import clean_line

if TYPE_CHECKING:
    from grader.gradebook.history import History
    from grader.gradebook.standing import Standing
    from grader.model.regulations import Regulations

by_option = click.option("--by", default=getpass.getuser, metavar="NAME", help="Who decides; you by default.")
why_option = click.option("--why", required=True, metavar="TEXT", help="The reason, kept for good.")


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
@name_option
@book_option
@roster_option
@cases_option
def history(student: str | None, **options: Any) -> None:
    """Show every attempt of STUDENT (or group), or what counts for the whole class."""
    regulations = choose_assignment(options["name"], (), cases=options["cases"]).regulations
    ledger = open_ledger(options["book"])
    sweep(ledger, now=datetime.now(UTC))
    past = histories(ledger, options["name"])
    if student is None:
        rows = [_summary(party, standing(regulations, each)) for party, each in past.items()]
        click.echo(tabulate(rows, headers=("party", "points", "tag", "attempts", "refused"), disable_numparse=True))
        return
    party = read_roster(options["roster"]).party(student)
    if party not in past:
        raise UsageError(f"{party} has submitted nothing in {options['name']}.", hint=_who(past))
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
@name_option
@book_option
@roster_option
@cases_option
def export_grades(kind: str, out: Path | None, **options: Any) -> None:
    """Write what counts, for a spreadsheet, Canvas or Moodle."""
    assignment = choose_assignment(options["name"], (), cases=options["cases"])
    past = histories(open_ledger(options["book"]), assignment.name)
    rows = export.lines(assignment, past, read_roster(options["roster"]))
    if kind == "canvas":
        text = export.canvas(assignment, rows, assignment_id=options["canvas_id"])
    else:
        text = export.moodle(assignment, rows) if kind == "moodle" else export.plain(assignment, rows)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
        click.echo(f"{out}: {plural(len(rows), 'student')}")


@book.command()
@click.argument("student")
@click.option("--due", metavar="TIME", help="The new due date (ISO 8601 with offset).")
@click.option("--days", type=click.FloatRange(min=0, min_open=True), help="So many days after the assignment's own.")
@click.option("--attempts", type=int, default=0, help="So many attempts more.")
@why_option
@by_option
@name_option
@book_option
@roster_option
@cases_option
def extend(student: str, **options: Any) -> None:
    """Give STUDENT (or the group) more time, more attempts, or both."""
    regulations = choose_assignment(options["name"], (), cases=options["cases"]).regulations
    due = _new_due(regulations, options["due"], options["days"])
    if due is None and not options["attempts"]:
        raise click.UsageError("give --due, --days or --attempts")
    key = Key(assignment=options["name"], party=read_roster(options["roster"]).party(student))
    ledger = open_ledger(options["book"])
    extension = Extended(due=due, attempts=options["attempts"], by=options["by"], why=options["why"])
    amend.extend(ledger, key, extension, now=datetime.now(UTC))
    own = terms(regulations, histories(ledger, key.assignment)[key.party])
    parts = [f"due {moment_text(own.due, regulations)}"] if own.due else []
    parts += [plural(own.attempts, "attempt")] if own.attempts is not None else []
    click.echo(f"{key.party}: {', '.join(parts) or 'no limits anyway'}")


@book.command()
@click.argument("student")
@click.argument("tag")
@why_option
@by_option
@name_option
@book_option
def void(student: str, tag: str, **options: Any) -> None:
    """Strike out STUDENT's attempt TAG: it neither costs nor counts."""
    ledger = open_ledger(options["book"])
    past = histories(ledger, options["name"])
    found = find_attempt(past, student, tag)
    if found is None:
        raise UsageError(f"{student} has no attempt {tag!r} in {options['name']}.", hint=_who(past))
    party, attempt = found
    key = Key(assignment=options["name"], party=party)
    amend.void(ledger, key, attempt, fact=Voided(by=options["by"], why=options["why"]), now=datetime.now(UTC))
    click.echo(f"{student}: {tag} is struck out")


def _new_due(regulations: Regulations, due: str | None, days: float | None) -> datetime | None:
    if days is not None:
        if regulations.due is None:
            raise UsageError("This assignment has no due date.", hint="Only --attempts can be given.")
        return regulations.due + timedelta(days=days)
    return read_moment("--due", due) if due is not None else None


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


def _who(past: dict[str, History]) -> str:
    return f"In the book: {', '.join(list(past)[:10]) or 'nobody yet'}"
