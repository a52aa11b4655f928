"""The command `grader report`: renders a stored run again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from grader.errors import UsageError
from grader.model.verdict import Audience
from grader.report.registry import FORMATS, chosen
from grader.report.sheet_files import members, stored
from grader.report.text import terminal
from grader.report.text.look import Look
from grader.report.view import view
from grader.report.writer import RunWriter, Style


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """What the command line asks for."""

    out: Path | None
    formats: tuple[str, ...]
    audience: Audience
    published: bool

    @property
    def names(self) -> tuple[str, ...]:
        return chosen(self.formats)


@click.command()
@click.argument("results", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Write here, not beside the run.")
@click.option("--format", "formats", multiple=True, help=f"Any of {', '.join(FORMATS)}; `text` alone prints.")
@click.option(
    "--audience",
    type=click.Choice([str(one) for one in Audience]),
    callback=lambda _, __, name: Audience(name),
    default="staff",
    show_default=True,
    help="Who will read it.",
)
@click.option("--published", is_flag=True, help="Open the cases that wait until results are published.")
def report(results: Path, **options: Any) -> None:
    """Render the stored run RESULTS again, for another audience or in another format."""
    run = results if results.is_dir() else results.parent
    asked = ReportOptions(**options)
    if asked.names == ("text",) and asked.out is None:
        _print(run, asked)
        return
    if asked.audience is not Audience.STAFF and (asked.out is None or asked.out.resolve() == run.resolve()):
        raise UsageError(
            f"{run} holds the staff's files; a student's report needs a folder of its own",
            hint="Name one with -o, and hand out only what lies there.",
        )
    style = Style(
        out=asked.out or run,
        audience=asked.audience,
        formats=asked.names,
        published=asked.published,
        keep_sheets=False,
        history=run,
        order=tuple(sorted(members(run))),
    )
    writer = RunWriter(style)
    for sheet in stored(run):
        writer.add(sheet)
    facts = writer.finish()
    click.echo(f"{facts.submissions} submissions rendered in {style.out}")


def _print(run: Path, asked: ReportOptions) -> None:
    look = Look.of(sys.stdout)
    for sheet in stored(run):
        click.echo("\n".join(terminal.report(view(sheet, asked.audience, published=asked.published), look)) + "\n")
