"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from grader.model.verdict import Level
from grader.wiring import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

assignment_option = click.option("-a", "--assignment", "name", metavar="NAME", help="The assignment's name.")
cases_option = click.option(
    "--cases",
    type=click.Path(path_type=Path, file_okay=False),
    help="The catalogue's folder (else $GRADER_CASES, ./cases, or the bundled one).",
)


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
        click.option(
            "--require-isolation",
            type=click.Choice([level.value for level in Level if level is not Level.NONE]),
            help="Refuse to run behind a weaker wall (by default: confined where marks are given).",
        ),
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

    def settings(self, *, remember: bool = True, floor: Level | None = Level.CONFINED) -> Settings:
        """Return what they ask for; below the floor nothing runs unless a level is named."""
        required = self.require_isolation or floor
        return Settings(
            engine=self.engine,
            workers=self.jobs or 0,
            require=Level(required) if required else None,
            fresh=self.fresh,
            remember=remember,
        )


def settings_of(options: dict[str, Any], *, remember: bool = True) -> Settings:
    """Return what the running options among these ask for, where marks are given."""
    return Running(**{name: options[name] for name in Running.__struct_fields__}).settings(remember=remember)
