"""Options that several commands share."""

from __future__ import annotations

from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from grader.model.verdict import Level
from grader.wiring import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.course.folder import CourseFolder

F = TypeVar("F", bound="Callable[..., Any]")


def as_value(kind: Callable[..., Any], name: str) -> Callable[[F], F]:
    """Hand those options of a command that `kind` takes on to it as one value, its argument `name`."""

    def decorate(command: F) -> F:
        @wraps(command)
        def collected(*arguments: Any, **options: Any) -> Any:
            fields = {field: options.pop(field) for field in signature(kind).parameters if field in options}
            return command(*arguments, **{name: kind(**fields)}, **options)

        return collected  # type: ignore[return-value]

    return decorate


def of_course(said: Callable[[CourseFolder], Any], otherwise: Any = None) -> Any:
    """Return what the course's file says, or the default where there is no course."""
    from grader.course.folder import find_course  # noqa: PLC0415 - only commands of a course need it

    course = find_course()
    return said(course) if course else otherwise


def out_option(about: str, default: Callable[[], Path] | Path = Path("grader-out")) -> Callable[[F], F]:
    """Return the option that says where reports go."""
    return click.option(
        "-o",
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        default=default,
        show_default="grader-out" if callable(default) else True,
        help=about,
    )


assignment_option = click.option("-a", "--assignment", "name", metavar="NAME", help="The assignment's name.")
name_option = click.option(
    "-a",
    "--assignment",
    "name",
    required=True,
    default=lambda: of_course(lambda course: course.only_name()),
    metavar="NAME",
    help="The assignment's name; in a course folder with one assignment that one.",
)
only_option = click.option("-a", "--assignment", "name", metavar="NAME", help="Only this assignment.")
folder_option = click.option(
    "--cases", "folder", type=click.Path(path_type=Path), metavar="DIR", help="The catalogue (else ./cases)."
)
cases_option = click.option(
    "--cases",
    type=click.Path(path_type=Path, file_okay=False),
    help="The catalogue's folder (else $GRADER_CASES, ./cases, or the bundled one).",
)


isolation_option = click.option(
    "--require-isolation",
    type=click.Choice([level.value for level in Level]),
    help="Refuse to run in a weaker sandbox (else what the assignment says, which is confined by default).",
)


def required(named: str | None) -> Level | None:
    """Return the level that `isolation_option` names."""
    return Level(named) if named else None


def running_options(command: F) -> F:
    """Add the options that say how submissions are run."""
    options = (
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(min=1),
            help="Workers; by default one per core, more for a large batch.",
        ),
        click.option(
            "--engine", default="local", show_default=True, metavar="URL", help="local, dask, or dask://host:port."
        ),
        isolation_option,
        click.option("--fresh", is_flag=True, help="Run everything again, whatever is stored."),
    )
    for option in reversed(options):
        command = option(command)
    return command


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """The options that say how submissions are run, as they were given."""

    jobs: int | None
    engine: str
    require_isolation: str | None
    fresh: bool

    def settings(self, *, remember: bool = True) -> Settings:
        """Return what they ask for."""
        return Settings(
            engine=self.engine,
            workers=self.jobs or 0,
            require=required(self.require_isolation),
            fresh=self.fresh,
            remember=remember,
        )
