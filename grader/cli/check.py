"""Checks a student's own solution on the visible cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.console import Console

from grader.cli.options import Running, assignment_option, cases_option, running_options
from grader.cli.progress import progress
from grader.errors import UsageError
from grader.intake.collect import collect_one
from grader.intake.entries import single_entry
from grader.model.verdict import Audience, Level, Verdict, Visibility
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade import grade
from grader.pipeline.prepare import chosen_by, prepare
from grader.report.terminal import show
from grader.report.view import SheetView, view
from grader.wiring import open_grading

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.model.submission import Submission

_LIMITED = (
    "On this machine your program runs with your own rights, held only by limits; "
    "run only code you trust. Marks here are provisional."
)


class _Options(Running, frozen=True, kw_only=True):
    name: str | None
    only: str
    hunts: bool
    cases: Path | None


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True), default=Path())
@assignment_option
@click.option("--only", default="*", metavar="GLOB", help="Only cases whose id or tag fits.")
@click.option("--hunt", "hunts", is_flag=True, help="If a case fails, look for the smallest puzzle that fails too.")
@cases_option
@running_options
@click.pass_context
def check(context: click.Context, /, path: Path, **given: Any) -> None:
    """Check the solution in PATH (here by default) on the visible cases, and explain what fails."""
    options = _Options(**given)
    assignment = choose_assignment(options.name, [path], cases=options.cases)
    visible = msgspec.structs.replace(
        assignment, cases=tuple(case for case in assignment.cases if case.facts.visibility is Visibility.VISIBLE)
    )
    plan = prepare(visible, chosen_by(options.only, visible), timeouts=1)
    entry = single_entry(path, assignment)
    with (
        open_grading(options.settings(floor=None), plan) as grading,
        progress("auto", total=len(plan.cases)) as seen,
    ):
        sheet = next(iter(grade(grading, [entry], seen=seen)))
    if sheet.problem:
        raise UsageError(sheet.problem, hint="give the folder that holds the file")
    shown = view(sheet, Audience.STUDENT)
    show(shown, Console(highlight=False))
    if not Level(shown.level).reaches(Level.CONFINED):
        click.echo(_LIMITED, err=True)
    if options.hunts and not _all_passed(shown):
        _hunt(assignment, collect_one(path, assignment))
    context.exit(0 if _all_passed(shown) else 1)


def _hunt(assignment: Assignment, submission: Submission) -> None:
    """Show the smallest puzzle that fails, unless the course keeps that for staff."""
    from grader.cli.hunt import hunt_and_show  # noqa: PLC0415 - Hypothesis is heavy, and most checks do without it
    from grader.hunt.hunt import Hunt  # noqa: PLC0415 - the same

    click.echo()
    hunt_and_show(assignment, submission, Hunt(), is_staff=False)


def _all_passed(shown: SheetView) -> bool:
    return all(case.verdict is Verdict.AC for case in shown.cases)
