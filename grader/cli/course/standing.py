"""Tells where a student stands and what a push would cost, without an attempt."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from grader.cli.course.course_options import book_options, nearest, roster_option
from grader.errors import UsageError
from grader.gradebook.event import Key
from grader.gradebook.history import known_names
from grader.gradebook.ledger import open_ledger
from grader.gradebook.messages import describe
from grader.gradebook.reserve import read_history
from grader.gradebook.roster import read_roster
from grader.gradebook.standing import answer
from grader.model.verdict import Audience
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line

if TYPE_CHECKING:
    from pathlib import Path

    from grader.submit.course import BookOptions


@click.command()
@click.argument("student", required=False)
@roster_option
@book_options
def standing(student: str | None, roster: Path | None, place: BookOptions) -> None:
    """Tell what STUDENT (or the group) has used, what a push at this moment would cost, and what counts.

    Without STUDENT it tells the rules. Nothing is written. Students ask the same of a git server with
    `git push -o ask origin TAG`.
    """
    if student is None:
        click.echo(describe(choose_assignment(place.name, (), cases=place.cases).regulations))
        return
    known = read_roster(roster).names() | known_names(open_ledger(place.book))
    if student not in known:
        raise UsageError(f"{student} is neither in the class list nor in the book.", hint=nearest(student, known))
    for line in standing_of(place, student, roster, audience=Audience.STAFF, private=True):
        click.echo(line)


def standing_of(
    place: BookOptions, student: str, roster: Path | None, *, audience: Audience, private: bool | None
) -> list[str]:
    """Return the answer; of hidden cases it tells a student nothing."""
    assignment = choose_assignment(place.name, (), cases=place.cases)
    ledger, people = open_ledger(place.book), read_roster(roster).of(assignment.name)
    key = Key(assignment=assignment.name, party=people.party(student))
    with ledger.reading() as connection:
        past = read_history(ledger, connection, key, frozenset(people.members(key.party)))
    is_silent = audience is not Audience.STAFF and assignment.hides_outcomes(audience)
    said = answer(assignment, past, at=datetime.now(UTC), private=private, is_silent=is_silent)
    return [clean_line(f"{assignment.title} · {key.party}"), *said]
