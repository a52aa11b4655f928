"""`grader cases shapes`: the sorts of puzzles that an assignment's kits can make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from tabulate import tabulate

from grader.catalogue.kits import kit_of
from grader.catalogue.load import find_catalogue, load_assignment
from grader.cli.options import folder_option
from grader.model.kit import Varying

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.model.assignment import Kind


@click.command()
@folder_option
@click.option("-a", "--assignment", "name", metavar="NAME", required=True, help="The assignment.")
def shapes(folder: Path | None, name: str) -> None:
    """List the sorts of puzzles that `generate` can ask for."""
    kinds = load_assignment(find_catalogue(folder), name, check_inputs=False).kinds
    rows = [row for kind in kinds.values() for row in _rows(kind)]
    click.echo(tabulate(rows, headers=("kind", "shape", "size", "title")))
    click.echo("\nin a case file: generate: {seed: 2027-spring, count: 3, shapes: […], size: …}")


def _rows(kind: Kind) -> Iterator[tuple[str, str, str, str]]:
    kit = kit_of(kind)
    if not isinstance(kit, Varying):
        yield kind.name, "", "", f"the kit {kind.kit} makes none: it has no `vary`"
        return
    for name, shape in kit.shapes().items():
        yield kind.name, name, f"{shape.sizes[0]} to {shape.sizes[1]}" if shape.sizes else "its own", shape.title
