"""Checks a student's own solution on the visible cases."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from grader.cli.options import Running, as_value, assignment_option, cases_option, running_options
from grader.cli.own_name import own_name
from grader.handout.check import Check, Wishes, typed
from grader.model.assignment import Case, HuntBy, RuleCase
from grader.model.result import GradeSheet
from grader.model.verdict import Level, Visibility
from grader.pipeline.find_assignment import choose_assignment, marked_in
from grader.pipeline.prepare import chosen_by, prepare
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Job
from grader.report.text.checked import Checked, Steps, Wanted, checked
from grader.report.text.look import Look
from grader.wiring import open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment
    from grader.wiring import Settings

C = TypeVar("C", Case, RuleCase)

_EXAMPLES = """\b
Examples:
  grader check                       the solution in this folder
  grader check --only seed-example   one case
  grader check --watch -x            again at every save, up to the first failure
  grader check --open                step through it in the browser
"""
_PAGE = Path("grader-out", "check.html")


class _Options(Running, frozen=True, kw_only=True):
    name: str | None
    only: str
    hunts: bool
    opens: bool
    watches: bool
    stops: bool
    as_json: bool
    cases: Path | None

    def anywhere(self) -> Settings:
        """Return what they ask for, with any sandbox accepted: it is the student's own program, and gets no marks."""
        settings = self.settings(remember=False)  # to run a few cases is quicker than to find out what changed
        return msgspec.structs.replace(settings, require=settings.require or Level.NONE)


@click.command(epilog=_EXAMPLES)
@click.argument("path", type=click.Path(path_type=Path, exists=True), default=Path())
@assignment_option
@click.option("--only", default="*", metavar="GLOB", help="Only cases whose id or tag fits.")
@click.option("-x", "--stop", "stops", is_flag=True, help="Stop at the first case that fails.")
@click.option("--open", "opens", is_flag=True, help="Also write a page with a player, and open it.")
@click.option("--watch", "watches", is_flag=True, help="Check again whenever you save; Ctrl-C ends it.")
@click.option("--hunt", "hunts", is_flag=True, help="If a case fails, look for the smallest input that fails too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: a submission as in results.json.")
@cases_option
@running_options
@as_value(_Options, "options")
@click.pass_context
def check(context: click.Context, /, path: Path, options: _Options) -> None:
    """Check the solution in PATH (here by default) on the visible cases, and explain what fails."""
    assignment = _assignment(path, options)
    with _open_check(path, assignment, options) as checking:
        done = checking.run()
    if options.hunts and not done.passed:
        _hunt(assignment, path, options.anywhere())
    context.exit(0 if done.passed else 1)


def _assignment(path: Path, options: _Options, *, check_inputs: bool = False) -> Assignment:
    """Load it; inputs that this check doesn't run may be read by others."""
    name = options.name or marked_in(path)
    return choose_assignment(name, [path], cases=options.cases, check_inputs=check_inputs)


@contextmanager
def _open_check(path: Path, assignment: Assignment, options: _Options) -> Iterator[Check]:
    visible = msgspec.structs.replace(assignment, cases=_seen(assignment.cases), rules=_seen(assignment.rules))
    only = chosen_by(options.only, visible)
    try:
        plan = prepare(visible, only, stops=options.stops)
    except Exception:
        _assignment(path, options, check_inputs=True)  # tells the fault with its place
        raise
    wanted = Wanted(
        look=Look.of(sys.stdout),
        steps=_steps(path, assignment, options),
        hidden=len(assignment.facts) - len(visible.facts),
        page=str(_PAGE.absolute()) if options.opens else "",
    )
    render = Job(partial(checked, wanted), takes=GradeSheet, gives=Checked, cpu_s=RENDER_S)
    with open_grading(options.anywhere(), plan, jobs=[render]) as grading:
        wishes = Wishes(
            path,
            page=_PAGE.absolute() if options.opens else None,
            stops=options.stops,
            watches=options.watches,
            as_json=options.as_json,
        )
        yield Check(grading, wishes, lambda sheet: grading.readers.ask(rendering(render, sheet, lambda shown: shown)))


def _seen(cases: tuple[C, ...]) -> tuple[C, ...]:
    return tuple(case for case in cases if case.facts.visibility is Visibility.VISIBLE)


def _steps(path: Path, assignment: Assignment, options: _Options) -> Steps:
    """Say how to repeat this very command."""
    given = [] if path == Path() else [typed(str(path))]
    given += ["-a", options.name] if options.name else []
    given += ["--cases", typed(str(options.cases))] if options.cases else []
    may_hunt = assignment.hunt is HuntBy.ANYONE and not options.hunts
    return Steps(
        check=" ".join([own_name(), "check", *given]),
        hunt=" ".join([own_name(), "hunt", *given]) if may_hunt else "",
        page=_PAGE.absolute().as_uri() if options.opens else "",
    )


def _hunt(assignment: Assignment, path: Path, settings: Settings) -> None:
    """Show the smallest puzzle that fails, unless the course keeps that for staff."""
    from grader.cli.hunt import hunt_and_show  # noqa: PLC0415 - rich is heavy, and most checks do without it
    from grader.hunt.hunt import Hunt  # noqa: PLC0415 - the same
    from grader.intake.collect import collect_one  # noqa: PLC0415 - the same

    click.echo()
    hunt_and_show(assignment, collect_one(path, assignment), Hunt(), settings, is_staff=False)
