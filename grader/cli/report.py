"""The command `grader report`: renders a stored run again."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from grader.errors import UsageError
from grader.model.verdict import Audience
from grader.report import terminal
from grader.report.formats import FORMATS, chosen
from grader.report.store import stored
from grader.report.view import view
from grader.report.writer import RunWriter


@click.command()
@click.argument("results", type=click.Path(exists=True, path_type=Path))
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Write here, not beside the run.")
@click.option("--format", "formats", multiple=True, help=f"Any of {', '.join(FORMATS)}; `text` alone prints.")
@click.option(
    "--audience",
    type=click.Choice([str(one) for one in Audience]),
    default="staff",
    show_default=True,
    help="Who will read it.",
)
@click.option("--published", is_flag=True, help="Open the cases that wait until results are published.")
def report(results: Path, *, out: Path | None, formats: tuple[str, ...], audience: str, published: bool) -> None:
    """Render the stored run RESULTS again, for another audience or in another format."""
    run = results if results.is_dir() else results.parent
    reader = Audience(audience)
    names = chosen(formats)
    if names == ("text",) and out is None:
        _print(run, reader, published=published)
        return
    if reader is not Audience.STAFF and (out is None or out.resolve() == run.resolve()):
        raise UsageError(
            f"{run} holds the staff's files; a student's report needs a folder of its own",
            hint="Name one with -o, and hand out only what lies there.",
        )
    target = out or run
    with RunWriter(target, audience=reader, formats=names, published=published, keep_sheets=False) as writer:
        for sheet in stored(run):
            writer.add(sheet)
        writer.finish()
    click.echo(f"{len(writer.summary.rows)} submissions rendered in {target}")


def _print(run: Path, reader: Audience, *, published: bool) -> None:
    console = Console()
    for sheet in stored(run):
        terminal.show(view(sheet, reader, published=published), console)
        console.print()
