"""Options of all commands that enter tags into the book."""

from __future__ import annotations

import getpass
from difflib import get_close_matches
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from grader.cli.options import (
    Running,
    as_value,
    cases_option,
    name_option,
    of_course,
    only_option,
    out_option,
    running_options,
)
from grader.errors import UsageError
from grader.gradebook.history import assignments
from grader.model.moments import read_moment
from grader.submit.course import BookOptions, Entering

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from grader.gradebook.ledger import Ledger

F = TypeVar("F", bound="Callable[..., Any]")

book_option = click.option(
    "--book",
    envvar="GRADER_BOOK",
    default=lambda: of_course(lambda course: course.book, "gradebook.sqlite"),
    show_default="gradebook.sqlite",
    metavar="BOOK",
    help="The gradebook: a SQLite file, or postgresql+psycopg://… (else $GRADER_BOOK, or the course's).",
)
roster_option = click.option(
    "--roster",
    type=click.Path(path_type=Path, dir_okay=False),
    default=lambda: of_course(lambda course: course.roster),
    help="The class list (CSV): who shares a quota, and names for exports (else the course's).",
)
by_option = click.option("--by", default=getpass.getuser, metavar="NAME", help="Who decides; you by default.")
why_option = click.option("--why", required=True, metavar="TEXT", help="The reason, kept for good and told.")
student_option = click.option("--student", help="Whose repository it is; by default the repository's name.")
_out_option = out_option(
    "Reports go to OUT/ASSIGNMENT/STUDENT/TAG (else where the course says).",
    lambda: of_course(lambda course: course.reports, Path("grader-out")),
)
_formats_option = click.option(
    "--format", "formats", multiple=True, metavar="LIST", help="Formats; html, md and json by default."
)
_slots_option = click.option(
    "--slots", type=click.IntRange(min=1), help="Gradings at once on this machine; one per core by default."
)
_ENTERING = (book_option, roster_option, _out_option, _formats_option, _slots_option, cases_option)
tags_option = click.option(
    "--tags",
    metavar="PATTERN",
    help="Only tags of this pattern, such as 'hw1/*' (else the course's; else every tag).",
)


def book_options(command: F) -> F:
    """Add the options that say where to look, and hand them on as one value, `place`."""
    return _with_options(as_value(BookOptions, "place")(command), (name_option, book_option, cases_option))


def entering_options(command: F) -> F:
    """Add the options that say where tags are entered and how they are graded, handed on as one value, `entering`."""
    return _with_options(running_options(as_entering(command)), (name_option, *_ENTERING))


def open_entering_options(command: F) -> F:
    """Add the same options, each as it was given, for a command that may learn the assignment elsewhere."""
    return _with_options(running_options(command), (only_option, *_ENTERING))


def as_entering(command: F) -> F:
    """Hand the options of `entering_options` on as one value, `entering`."""

    @wraps(command)
    @as_value(Running, "running")
    def collected(*arguments: Any, running: Running, **options: Any) -> Any:
        entering = partial(Entering, settings=running.settings())
        return as_value(entering, "entering")(command)(*arguments, **options)

    return collected  # type: ignore[return-value]


def _with_options(command: F, options: Iterable[Callable[[F], F]]) -> F:
    for option in reversed([*options]):
        command = option(command)
    return command


def is_only_assignment(ledger: Ledger, name: str) -> bool:
    """Tell whether neither course nor book has another assignment, whose numbers a class list might have."""
    return {*of_course(lambda course: course.file.assignments, ()), *assignments(ledger)} <= {name}


def warn(text: str) -> None:
    """Tell staff what they should know, beside the command's own output."""
    click.echo(text, err=True)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint for a name that nobody has."""
    names = sorted(known)
    close = get_close_matches(name, names, n=3)
    return f"Did you mean {' or '.join(close)}?" if close else f"In the book: {', '.join(names[:10]) or 'nobody yet'}"


def moment_option(option: str, given: str) -> datetime:
    """Read a moment; without a time zone it would mean another one on each machine."""
    try:
        return read_moment(option, given)
    except ValueError as error:
        raise UsageError(str(error)) from error
