"""Packs the autograder that is uploaded to Gradescope."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import cases_option, name_option
from grader.handout.autograder import pack_autograder
from grader.pipeline.find_assignment import choose_assignment


@click.command()
@name_option
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("autograder.zip"),
    show_default=True,
    help="The zip to write.",
)
@cases_option
def gradescope(name: str, out: Path, cases: Path | None) -> None:
    """Pack the zip that Gradescope takes as an autograder (base image: Ubuntu 24.04)."""
    content = pack_autograder(choose_assignment(name, (), cases=cases))
    out.write_bytes(content)
    click.echo(f"wrote {out} ({len(content) // 1024} KiB); upload it under Configure Autograder")
