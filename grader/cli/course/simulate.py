"""Shows what regulations do to a history, before students meet them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec
from tabulate import tabulate

from grader.cli.course.course_options import book_options
from grader.errors import CatalogueError, Fault
from grader.gradebook.history import State
from grader.gradebook.ledger import open_ledger
from grader.gradebook.messages import describe, moment_text
from grader.gradebook.queries import histories
from grader.gradebook.simulate import Planned, read_pushes
from grader.gradebook.simulate import simulate as play
from grader.model.regulations import Regulations
from grader.model.words import number_text, plural
from grader.pipeline.find_assignment import choose_assignment

if TYPE_CHECKING:
    from grader.gradebook.event import Extended
    from grader.gradebook.simulate import Step
    from grader.submit.course import BookOptions

Story = tuple[tuple[Planned, ...], "tuple[Extended, ...]"]

_readable = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command()
@click.option("--regulations", "rules", type=_readable, help="YAML with other regulations than the assignment's.")
@click.option("--history", "story", type=_readable, help="CSV: at, points, private, our_fault, party; else the book.")
@book_options
def simulate(rules: Path | None, story: Path | None, place: BookOptions) -> None:
    """Play a history against regulations and show each decision; nothing is written."""
    if rules is None:
        regulations = choose_assignment(place.name, (), cases=place.cases).regulations
    else:
        regulations = _read_rules(rules)
    click.echo(f"{describe(regulations)}\n")
    stories = _from_file(story) if story else _from_book(place.book, place.name)
    for party, (pushes, extensions) in sorted(stories.items()):
        steps, now = play(regulations, pushes, extensions=extensions)
        click.echo(
            f"{party or 'pushes'}: {plural(now.used, 'attempt')} used, {plural(now.points, 'point')} in the end"
        )
        click.echo(
            tabulate([_row(regulations, step) for step in steps], tablefmt="plain", disable_numparse=True) + "\n"
        )


def _row(regulations: Regulations, step: Step) -> tuple[str, str, str, str]:
    decision = step.decision
    word = "graded" if decision.accepted else "refused"
    if decision.accepted and step.push.our_fault:
        word = "given back"
    cost = f"-{number_text(decision.cost_percent)}%" if decision.cost_percent else ""
    return moment_text(step.push.at, regulations), word, cost, decision.text


def _read_rules(path: Path) -> Regulations:
    """Read regulations alone, or those of an assignment.yaml."""
    try:
        found = msgspec.yaml.decode(path.read_bytes())
        if isinstance(found, dict) and "regulations" in found:
            found = found["regulations"]
        return msgspec.convert(found, Regulations)
    except (OSError, msgspec.MsgspecError) as error:
        raise CatalogueError([Fault(message=str(error), path=str(path))]) from error


def _from_file(path: Path) -> dict[str, Story]:
    parties: dict[str, list[Planned]] = {}
    for push in read_pushes(path):
        parties.setdefault(push.party, []).append(push)
    return {party: (tuple(pushes), ()) for party, pushes in parties.items()}


def _from_book(book: str, assignment: str) -> dict[str, Story]:
    """Take what really came, also what was refused then; a refused push has no points to show."""
    stories: dict[str, Story] = {}
    for party, history in histories(open_ledger(book), assignment).items():
        pushes = tuple(
            Planned(
                at=each.at,
                points=each.points or 0.0,
                private=each.received.private is not False,
                our_fault=each.state is State.REFUNDED and each.points is None,
                party=party,
            )
            for each in history.attempts
            if each.state is not State.VOIDED
        )
        stories[party] = (pushes, history.extensions)
    return stories
