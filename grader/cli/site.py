"""Writes the check as a static site, for students without Python."""

from __future__ import annotations

from pathlib import Path

import click

from grader.catalogue.load import find_catalogue, load_assignment
from grader.cli.options import cases_option
from grader.site.packages import open_packages
from grader.site.publish import publish


@click.command()
@click.option("-a", "--assignment", "names", metavar="NAME", multiple=True, required=True, help="May be repeated.")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("public"),
    show_default=True,
    help="The folder to write.",
)
@click.option(
    "--packages",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder in which `npm ci` was run, for a machine without a network.",
)
@cases_option
def site(names: tuple[str, ...], out: Path, packages: Path | None, cases: Path | None) -> None:
    """Write the check as a static site: the same judges in a browser's tab, without a server.

    Needs node and npm, once: Python in WebAssembly and the editor come from there, in the versions that were tested.
    """
    catalogue = find_catalogue(cases)
    assignments = [load_assignment(catalogue, name) for name in dict.fromkeys(names)]
    with open_packages(packages) as installed:
        size = publish(assignments, out, installed)
    click.echo(f"wrote {out} ({size / (1 << 20):.1f} MiB); to look at it: python3 -m http.server -d {out}")
