"""Options of all commands that enter tags into the book, and what they open."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.cli.course import Course
from grader.cli.options import cases_option, running_options, settings_of
from grader.engines.store import default_folder
from grader.errors import UsageError
from grader.forge.slots import slot
from grader.gradebook.ledger import open_ledger
from grader.gradebook.roster import read_roster
from grader.pipeline.choose import choose_assignment
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import prepare
from grader.report.formats import FORMATS, chosen
from grader.wiring import open_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.cli.course import Grade, Tell
    from grader.forge.issue import Host
    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.submission import Submission
    from grader.wiring import Settings

F = TypeVar("F", bound="Callable[..., Any]")

_EVERY_S = 1.0

book_option = click.option(
    "--book",
    envvar="GRADER_BOOK",
    default="gradebook.sqlite",
    show_default=True,
    metavar="BOOK",
    help="The gradebook: a SQLite file, or postgresql+psycopg://… (else $GRADER_BOOK).",
)
roster_option = click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The class list (CSV): who shares a quota, and names for exports.",
)
name_option = click.option("-a", "--assignment", "name", required=True, metavar="NAME", help="The assignment's name.")


def entering_options(command: F) -> F:
    """Add the options that say where tags are entered and reports written."""
    options = (
        name_option,
        book_option,
        roster_option,
        click.option(
            "-o",
            "--out",
            type=click.Path(path_type=Path, file_okay=False),
            default=Path("grader-out"),
            show_default=True,
            help="Reports go to OUT/STUDENT/TAG.",
        ),
        click.option("--format", "formats", multiple=True, metavar="LIST", help="Formats; every one by default."),
        click.option(
            "--slots", type=click.IntRange(min=1), help="Gradings at once on this machine; one per core by default."
        ),
        cases_option,
    )
    command = running_options(command)
    for option in reversed(options):
        command = option(command)
    return command


def open_course(options: dict[str, Any], *, tell: Tell, host: Host | None = None) -> Course:
    """Open book, catalogue and class list; every fault in them is told before a tag is taken."""
    assignment = choose_assignment(options["name"], (), cases=options["cases"])
    return Course(
        assignment=assignment,
        ledger=open_ledger(options["book"]),
        roster=read_roster(options["roster"]),
        grade=_grader(assignment, settings_of(options), slots=options["slots"] or os.cpu_count() or 1),
        out=options["out"],
        formats=chosen(options["formats"]) if options["formats"] else FORMATS,
        tell=tell,
        host=host,
    )


def _grader(assignment: Assignment, settings: Settings, *, slots: int) -> Grade:
    plan = prepare(assignment)
    if not plan.cases:
        raise UsageError(f"{assignment.name} has no cases.")

    def grade(submission: Submission, tell: Tell) -> GradeSheet:
        in_line = slot(
            default_folder() / "slots",
            slots,
            waiting=lambda: tell("Other submissions are being graded; yours waits in line …"),
        )
        with in_line, open_engine(settings) as engine, _steps(tell, len(plan.cases)) as seen:
            return next(iter(grade_all(plan, [submission], engine=engine, seen=seen)))

    return grade


@contextmanager
def _steps(tell: Tell, total: int) -> Iterator[Callable[[CaseResult], None]]:
    """Tell how many cases are judged, at most once a second, and of none how it ended."""
    done, last = 0, time.monotonic()

    def seen(_: CaseResult) -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last >= _EVERY_S or done == total:
            last = time.monotonic()
            tell(f"{done} of {total} cases judged")

    yield seen
