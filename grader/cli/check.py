"""Checks a student's own solution on the visible cases."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from grader.cli.case_lines import CaseLines
from grader.cli.options import Running, as_value, assignment_option, cases_option, running_options
from grader.cli.own_name import own_name
from grader.errors import UsageError
from grader.intake.entries import single_entry
from grader.intake.watch import stamps, wait_for_change
from grader.model.assignment import Case, HuntBy, RuleCase
from grader.model.result import GradeSheet
from grader.model.verdict import Level, Visibility
from grader.pipeline.find_assignment import choose_assignment, marked_in
from grader.pipeline.grade import grade
from grader.pipeline.prepare import chosen_by, prepare
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Job
from grader.report.text.look import Look
from grader.report.text.telling import Checked, Steps, Wanted
from grader.wiring import open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.intake.entries import Entry
    from grader.model.assignment import Assignment
    from grader.pipeline.grade import Grading
    from grader.wiring import Settings

C = TypeVar("C", Case, RuleCase)

_LIMITED = (
    "Checked on your computer, without a sandbox: run only code you trust. Your grade comes from the official run."
)
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
        done = checking.watch() if options.watches else checking.once()
    if options.hunts and not done.passed:
        _hunt(assignment, path, options.anywhere())
    context.exit(0 if done.passed else 1)


def _assignment(path: Path, options: _Options, *, check_inputs: bool = False) -> Assignment:
    """Load it; inputs that this check doesn't run may be read by others."""
    name = options.name or marked_in(path)
    return choose_assignment(name, [path], cases=options.cases, check_inputs=check_inputs)


@contextmanager
def _open_check(path: Path, assignment: Assignment, options: _Options) -> Iterator[_Checking]:
    visible = msgspec.structs.replace(assignment, cases=_seen(assignment.cases), rules=_seen(assignment.rules))
    only = chosen_by(options.only, visible)
    try:
        plan = prepare(visible, only, timeouts=1, stops=options.stops)
    except Exception:
        _assignment(path, options, check_inputs=True)  # tells the fault with its place
        raise
    wanted = Wanted(
        look=Look.of(sys.stdout),
        steps=_steps(path, assignment, options),
        hidden=len(assignment.facts) - len(visible.facts),
        page=str(_PAGE.absolute()) if options.opens else "",
    )
    render = Job(
        partial(_told, wanted),
        takes=GradeSheet,
        gives=Checked,
        cpu_s=RENDER_S,
        needs=("grader.report.text.checked",),
    )
    with open_grading(options.anywhere(), plan, jobs=[render]) as grading:
        yield _Checking(grading, path, render, options)


def _told(wanted: Wanted, sheet: GradeSheet) -> Checked:
    from grader.report.text.checked import checked  # noqa: PLC0415 - as the job says

    return checked(wanted, sheet)


def _seen(cases: tuple[C, ...]) -> tuple[C, ...]:
    return tuple(case for case in cases if case.facts.visibility is Visibility.VISIBLE)


class _Checking:
    """One solution, to be checked once or at every save; readers and sandbox stay warm."""

    def __init__(self, grading: Grading, path: Path, render: Job[GradeSheet, Checked], options: _Options) -> None:
        self._grading = grading
        self._path = path
        self._render = render
        self._options = options

    def once(self) -> Checked:
        """Check, and say how it went; a folder without the file is a mistake."""
        done = self._check()
        if done.problem:
            raise UsageError(done.problem, hint="give the folder that has the file, or the file itself")
        return done

    def watch(self) -> Checked:
        """Check at every save until Ctrl-C."""
        while True:
            before = stamps(self._path)
            if sys.stdout.isatty():
                click.clear()
            done = self._check()
            if done.problem:
                click.echo(done.problem)
            try:
                click.echo(f"\nWatching {self._path.absolute()}; save a file to check again, Ctrl-C to stop.")
                wait_for_change(self._path, before)
            except KeyboardInterrupt:
                click.echo()
                return done

    def _check(self) -> Checked:
        cases = [prepared.case for prepared in self._grading.plan.cases]
        lines = CaseLines(cases, quiet=self._options.as_json, stops=self._options.stops)
        sheet = next(iter(grade(self._grading, self._given(), seen=lines.seen)))
        done = self._grading.readers.ask(rendering(self._render, sheet, lambda sheet: sheet))
        if not done.problem:
            lines.rest(sheet)
            click.echo(done.json if self._options.as_json else done.text)
            self._tell_more(done)
        return done

    def _given(self) -> Iterator[Entry]:
        """Give the solution; while a reader looks at it, load what prints the first line."""
        yield single_entry(self._path, self._grading.plan.assignment)
        import_module("grader.report.text.terminal")

    def _tell_more(self, done: Checked) -> None:
        if not Level(done.level).reaches(Level.CONFINED):
            click.echo(_LIMITED, err=True)
        if self._options.opens:
            _open(_PAGE.absolute())


def _steps(path: Path, assignment: Assignment, options: _Options) -> Steps:
    """Say how to repeat this very command."""
    given = [] if path == Path() else [shlex.quote(str(path))]
    given += ["-a", options.name] if options.name else []
    given += ["--cases", shlex.quote(str(options.cases))] if options.cases else []
    may_hunt = assignment.hunt is HuntBy.ANYONE and not options.hunts
    return Steps(
        check=" ".join([own_name(), "check", *given]),
        hunt=" ".join([own_name(), "hunt", *given]) if may_hunt else "",
        page=_PAGE.absolute().as_uri() if options.opens else "",
    )


def _open(page: Path) -> None:
    """Open the page where there is a desktop; its address is printed anyway."""
    has_desktop = sys.platform in {"darwin", "win32"} or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if has_desktop:
        import webbrowser  # noqa: PLC0415 - most checks open nothing

        webbrowser.open(page.as_uri())


def _hunt(assignment: Assignment, path: Path, settings: Settings) -> None:
    """Show the smallest puzzle that fails, unless the course keeps that for staff."""
    from grader.cli.hunt import hunt_and_show  # noqa: PLC0415 - Hypothesis is heavy, and most checks do without it
    from grader.hunt.hunt import Hunt  # noqa: PLC0415 - the same
    from grader.intake.collect import collect_one  # noqa: PLC0415 - the same

    click.echo()
    hunt_and_show(assignment, collect_one(path, assignment), Hunt(), settings, is_staff=False)
