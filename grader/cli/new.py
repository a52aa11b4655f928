"""Begins a new assignment in which everything works at once.

DIR/
├── cases/NAME/assignment.yaml, basics.yaml     the questions
├── kits/NAME.py                                the kit: parse, read, check, …
├── kits/NAME_solver.py                         its solver, which students don't get
├── cases/NAME/mistakes.yaml                    known mistakes, which prove the cases and name a student's
└── solutions/NAME/AC/right/NAME.py             a right program, which the mistakes are made in
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from grader.bundled import bundled
from grader.errors import UsageError

_NAME = re.compile("[a-z][a-z0-9_]{0,39}")
_FILES = {
    "assignment.yaml": "cases/NAME/assignment.yaml",
    "cases.yaml": "cases/NAME/basics.yaml",
    "kit.py.txt": "kits/NAME.py",
    "solver.py.txt": "kits/NAME_solver.py",
    "right.py.txt": "solutions/NAME/AC/right/NAME.py",
    "mistakes.yaml": "cases/NAME/mistakes.yaml",
}


@click.command()
@click.argument("name")
@click.option("--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The course.")
def new(name: str, folder: Path) -> None:
    """Begin an assignment NAME: a kit, three cases, a right program and two mistakes, all working."""
    for path in scaffold(folder, name):
        click.echo(f"wrote {path}")
    where = "" if folder == Path() else f"cd {folder}; "
    click.echo(f"\nTry it:  {where}grader cases verify -a {name}")
    click.echo(f"         {where}grader cases mistakes run unsorted -a {name}")


def scaffold(folder: Path, name: str) -> tuple[Path, ...]:
    """Write the files of a new assignment; none of them may exist yet."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} can't be an assignment's name", hint="use lower-case letters, digits and _")
    targets = {source: folder / target.replace("NAME", name) for source, target in _FILES.items()}
    taken = [path for path in targets.values() if path.exists()]
    if taken:
        raise UsageError(f"{taken[0]} exists already", hint="take another name or another --dir")
    texts = {
        source: bundled("templates", "new", source).read_text("utf-8").replace("NAME", name) for source in targets
    }
    for source, path in targets.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[source])
    for schema in ("assignment.schema.json", "case.schema.json", "mistakes.schema.json"):
        place = folder / "cases" / schema
        if not place.exists():
            place.write_text(bundled("cases", schema).read_text("utf-8"))
    return tuple(targets.values())
