"""Begins a new assignment."""

from __future__ import annotations

from pathlib import Path

import click

from grader.catalogue.scaffold import scaffold


@click.command()
@click.argument("name")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The course.")
def new(name: str, folder: Path) -> None:
    """Begin an assignment NAME: a kit, three cases, a right and a wrong solution, all working."""
    for path in scaffold(folder, name):
        click.echo(f"wrote {path}")
    where = "" if folder == Path() else f"cd {folder}; "
    click.echo(f"\nTry it:  {where}grader cases verify -a {name}")
    click.echo(f"         {where}grader grade solutions/{name}/*/* -a {name}")
