"""Judges a set of attempts anew, and shows the difference before it counts."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click
import msgspec
from tabulate import tabulate

from grader.cli.enter import book_option, name_option
from grader.cli.options import cases_option, running_options, settings_of
from grader.gradebook import amend
from grader.gradebook.difference import Change, change, moves
from grader.gradebook.event import Key
from grader.gradebook.history import Attempt, State
from grader.gradebook.keep import kept_sheet, kept_submission
from grader.gradebook.ledger import open_ledger
from grader.gradebook.readings import histories
from grader.gradebook.words import plural
from grader.pipeline.choose import choose_assignment
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.clean import clean_line
from grader.wiring import open_engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.gradebook.history import History
    from grader.gradebook.ledger import Ledger
    from grader.model.assignment import Assignment
    from grader.model.submission import Submission
    from grader.wiring import Settings

Chosen = dict[str, tuple[str, Attempt]]
"""Attempt's id → party and attempt."""

_ABLE = {State.SETTLED, State.REFUNDED}


@click.command()
@click.argument("students", nargs=-1)
@name_option
@click.option("--tag", multiple=True, help="Only attempts of this tag.")
@click.option("--apply", "is_applied", is_flag=True, help="Write the new judgements; without it they are only shown.")
@click.option("--why", default="", metavar="TEXT", help="The reason, kept for good; needed with --apply.")
@click.option("--by", default=getpass.getuser, metavar="NAME", help="Who decides; you by default.")
@book_option
@cases_option
@running_options
def regrade(students: tuple[str, ...], is_applied: bool, **options: Any) -> None:
    """Judge the attempts of STUDENTS (all by default) anew by the catalogue as it is now.

    What only a changed expectation touches is judged from the stored runs; only what must be is run again.
    Attempts keep their time, number and cost.
    """
    if is_applied and not options["why"]:
        raise click.UsageError("--apply needs --why")
    assignment = choose_assignment(options["name"], (), cases=options["cases"])
    ledger = open_ledger(options["book"])
    past = histories(ledger, assignment.name)
    chosen = _choose(past, set(students), set(options["tag"]))
    changes = tuple(each for each in _changes(ledger, assignment, chosen, settings_of(options)) if each.matters)
    able = tuple(each for each in changes if not each.our_fault)
    _show(assignment, past, changes)
    if not is_applied:
        click.echo("Nothing is written yet: --apply --why TEXT does." if able else "Nothing changes.")
        return
    now = datetime.now(UTC)
    for each in able:
        said = amend.regraded(each.sheet, by=options["by"], why=options["why"])
        key = Key(assignment=assignment.name, party=each.party)
        amend.regrade(ledger, each, key=key, said=said, now=now)
    click.echo(f"{plural(len(able), 'attempt')} regraded.")


def _choose(past: dict[str, History], students: set[str], tags: set[str]) -> Chosen:
    return {
        each.id: (party, each)
        for party, history in past.items()
        for each in history.attempts
        if each.state in _ABLE
        and (not students or party in students or each.student in students)
        and (not tags or each.tag in tags)
    }


def _changes(ledger: Ledger, assignment: Assignment, chosen: Chosen, settings: Settings) -> Iterator[Change]:
    plan = prepare(assignment)
    with open_engine(settings) as engine:
        for sheet in grade(plan, _submissions(ledger, chosen), engine=engine):
            party, attempt = chosen[sheet.submission]
            new = msgspec.structs.replace(sheet, submission=attempt.student)
            yield change(party, attempt, old=kept_sheet(ledger, attempt.id), new=new)
        stored, run = getattr(engine, "hits", 0), getattr(engine, "runs", 0)
    click.echo(f"{plural(stored, 'run')} judged from store, {run} run again.", err=True)


def _submissions(ledger: Ledger, chosen: Chosen) -> Iterator[Submission]:
    """Give what was handed in, one at a time, under the attempt's own name."""
    for name, (_, attempt) in chosen.items():
        kept = kept_submission(ledger, name)
        if kept is None:
            click.echo(
                f"{attempt.student} {attempt.tag}: its files were not kept, so it can't be regraded.", err=True
            )
        else:
            yield msgspec.structs.replace(kept, id=name)


def _show(assignment: Assignment, past: dict[str, History], changes: tuple[Change, ...]) -> None:
    able = tuple(each for each in changes if not each.our_fault)
    found = moves(assignment.regulations, past, able)
    if found:
        rows = [(move.party, move.direction, f"{move.before:g}", f"{move.after:g}") for move in found]
        click.echo(tabulate(rows, headers=("party", "goes", "from", "to"), disable_numparse=True) + "\n")
    for each in changes:
        before = "–" if each.before is None else f"{each.before:g}"
        fault = " — the grader itself failed; left as it was" if each.our_fault else ""
        click.echo(clean_line(f"{each.attempt.student} {each.attempt.tag}: {before} → {each.after:g}{fault}"))
        for reason in each.reasons:
            click.echo(f"    {clean_line(reason)}")
