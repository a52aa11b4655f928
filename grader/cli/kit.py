"""Packs the kit that students download."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import cases_option, name_option
from grader.handout.pack import pack_kit
from grader.pipeline.find_assignment import choose_assignment


@click.command()
@name_option
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Else NAME-kit.zip.")
@cases_option
def kit(name: str, out: Path | None, cases: Path | None) -> None:
    """Pack the students' kit: starter, visible cases, and their own `check`, which needs only Python."""
    content = pack_kit(choose_assignment(name, (), cases=cases))
    path = out or Path(f"{name}-kit.zip")
    path.write_bytes(content)
    click.echo(f"wrote {path} ({len(content) // 1024} KiB); students run: python3 check.pyz")
