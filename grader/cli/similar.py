"""Shows which submissions of a class are alike."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace
from tabulate import tabulate

from grader.cli.options import as_value, assignment_option, cases_option, out_option
from grader.intake.collect import collect
from grader.pipeline.find_assignment import choose_assignment
from grader.report.html.similarpage import data, write
from grader.similar.compare import compare
from grader.similar.known import known_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment
    from grader.model.similarity import Comparison
    from grader.model.submission import Submission

_MOST_ROWS = 40


@dataclass(frozen=True, kw_only=True)
class SimilarOptions:
    """What the command line asks for."""

    name: str | None
    cases: Path | None
    threshold: float
    exclude: tuple[Path, ...]
    old: tuple[Path, ...]
    out: Path
    as_json: bool


@click.command()
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@assignment_option
@click.option(
    "--threshold",
    type=click.FloatRange(0.0, 1.0, min_open=True),
    default=0.7,
    show_default=True,
    help="Show pairs from this share of one's own code on.",
)
@click.option(
    "--exclude",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Code that students were shown: a file, a folder, or a page in Markdown.",
)
@click.option(
    "--old",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Submissions of an earlier term, which aren't compared with each other.",
)
@out_option("Where similar.html goes; the class page there links it.")
@click.option("--json", "as_json", is_flag=True, help="Print the pairs as JSON.")
@cases_option
@as_value(SimilarOptions, "asked")
def similar(submissions: tuple[Path, ...], asked: SimilarOptions) -> None:
    """Compare SUBMISSIONS, each with each and with --old ones, and show who shares code, for staff.

    The starter, the reference and what --exclude names don't count. Likeness is no proof of copying.
    """
    assignment = choose_assignment(asked.name, submissions, cases=asked.cases)
    comparison = compare(
        collect(submissions, assignment),
        assignment,
        known=known_code(assignment, asked.exclude),
        threshold=asked.threshold,
        old=(each for folder in asked.old for each in _earlier(folder.resolve(), assignment)),
    )
    page = write(asked.out, comparison)
    click.echo(data(comparison) if asked.as_json else f"{_table(comparison)}\n\nside by side: {page}")


def _earlier(folder: Path, assignment: Assignment) -> Iterator[Submission]:
    """Yield the submissions of an earlier term, under its folder's name."""
    for submission in collect((folder,), assignment):
        yield replace(submission, id=f"{folder.name}/{submission.id}")


def _table(comparison: Comparison) -> str:
    rows = [
        (pair.first.submission, pair.second.submission, f"{pair.first.share:.0%}", f"{pair.second.share:.0%}")
        for pair in comparison.pairs[:_MOST_ROWS]
    ]
    table = tabulate(rows, headers=("submission", "and", "of the first", "of the second"), disable_numparse=True)
    more = len(comparison.pairs) - len(rows)
    lines = [table] if rows else [f"no pair shares {comparison.threshold:.0%} or more"]
    lines += [f"… and {more} more pairs"] if more else []
    lines += [
        f"group of {len(each.members)}, {each.least:.0%} to {each.most:.0%} alike: {', '.join(each.members)}"
        for each in comparison.clusters[:_MOST_ROWS]
    ]
    lines += [f"not compared: {name}: {why}" for name, why in comparison.left_out.items()]
    old = f", also with {comparison.old} of earlier terms" if comparison.old else ""
    return "\n".join(
        [*lines, f"{len(comparison.compared)} submissions compared{old}; likeness is no proof of copying"]
    )
