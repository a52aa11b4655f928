"""Checks a student's own solution on the visible cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from grader.cli.options import assignment_option, cases_option, running_options, settings_of
from grader.cli.progress import progress
from grader.errors import UsageError
from grader.intake.collect import collect_one
from grader.model.verdict import Audience, Level, Verdict, Visibility
from grader.pipeline.choose import choose_assignment
from grader.pipeline.grade import grade
from grader.pipeline.prepare import fits, prepare
from grader.report.terminal import show
from grader.report.view import SheetView, view
from grader.wiring import open_engine

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.model.submission import Submission

_LIMITED = (
    "On this machine your program runs with your own rights, held only by limits; "
    "run only code you trust. Marks here are provisional."
)


@click.command()
@click.argument("path", type=click.Path(path_type=Path, exists=True), default=Path())
@assignment_option
@click.option("--only", default="*", metavar="GLOB", help="Only cases whose id or tag fits.")
@click.option("--hunt", "hunts", is_flag=True, help="If a case fails, look for the smallest puzzle that fails too.")
@cases_option
@running_options
@click.pass_context
def check(context: click.Context, /, path: Path, **options: Any) -> None:
    """Check the solution in PATH (here by default) on the visible cases, and explain what fails."""
    assignment = choose_assignment(options["name"], [path], cases=options["cases"])
    plan = prepare(assignment, lambda case: case.visibility is Visibility.VISIBLE and fits(case, options["only"]))
    submission = collect_one(path, assignment)
    if submission.problem:
        raise UsageError(submission.problem, hint="give the folder that holds the file")
    with open_engine(settings_of(options)) as engine, progress("auto", total=len(plan.cases)) as seen:
        sheet = next(iter(grade(plan, [submission], engine=engine, seen=seen)))
    shown = view(sheet, Audience.STUDENT)
    show(shown, Console(highlight=False))
    if not Level(shown.level).reaches(Level.CONFINED):
        click.echo(_LIMITED, err=True)
    if options["hunts"] and not _all_passed(shown):
        _hunt(assignment, submission)
    context.exit(0 if _all_passed(shown) else 1)


def _hunt(assignment: Assignment, submission: Submission) -> None:
    """Show the smallest puzzle that fails, unless the course keeps that for staff."""
    from grader.cli.hunt import hunt_and_show  # noqa: PLC0415 - Hypothesis is heavy, and most checks do without it
    from grader.pipeline.hunt import Hunt  # noqa: PLC0415 - the same

    click.echo()
    hunt_and_show(assignment, submission, Hunt(), is_staff=False)


def _all_passed(shown: SheetView) -> bool:
    return all(case.verdict is Verdict.AC for case in shown.cases)
