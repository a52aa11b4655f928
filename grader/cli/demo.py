"""Grades a small bundled class in every assignment."""

from __future__ import annotations

import time
from pathlib import Path

import click
from tabulate import tabulate

from grader.catalogue.load import find_catalogue, load
from grader.cli.grade import Row, grade_batch
from grader.intake.entries import entries
from grader.pipeline.prepare import prepare
from grader.prove.matrix import solutions_below, solutions_folder
from grader.report.layout import CLASS_PAGE
from grader.report.writer import RunWriter, Style
from grader.wiring import Settings

_OF_EACH = {"AC": 3, "WA": 4}
"""How many solutions of each expected verdict are in the demo's class; one of every other."""
_NEXT = """
Try next:
  grader check {solution} -a lefthand    what a student sees
  grader grade {folder} -a lefthand      what an instructor types
  grader cases list -a lefthand          the questions
  grader doctor                          how strong the wall is here"""


@click.command()
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("grader-out/demo"),
    show_default=True,
    help="Where the reports go.",
)
def demo(out: Path) -> None:
    """Grade the bundled class: right and wrong solutions in every assignment."""
    begun = time.monotonic()
    catalogue = find_catalogue()
    solutions = solutions_folder(catalogue)
    lines = []
    level = ""
    for assignment in load(catalogue):
        students = _small_class(solutions_below(solutions / assignment.name))
        click.echo(f"{assignment.name}: {len(students)} submissions × {len(assignment.cases)} cases …", err=True)
        writer = RunWriter(Style(out=out / assignment.name))
        rows = grade_batch(
            prepare(assignment), entries(students, assignment), writer=writer, settings=Settings(), meter="auto"
        )
        level = rows[0].level if rows else level
        lines.append((assignment.name, len(rows), _full(rows), out / assignment.name / CLASS_PAGE))
    click.echo(tabulate(lines, headers=("assignment", "submissions", "full points", "report")))
    click.echo(f"\nGraded in {time.monotonic() - begun:.1f} s behind the wall '{level}'.")
    click.echo(f"Open {out / 'lefthand' / CLASS_PAGE} in a browser.")
    click.echo(_NEXT.format(solution=_example(solutions), folder=solutions / "lefthand" / "WA"))


def _small_class(solutions: tuple[Path, ...]) -> tuple[Path, ...]:
    """Choose a few of each verdict; the whole tree is for proving the catalogue."""
    chosen: dict[str, list[Path]] = {}
    for path in solutions:
        chosen.setdefault(path.parent.name, []).append(path)
    return tuple(path for verdict, paths in chosen.items() for path in paths[: _OF_EACH.get(verdict, 1)])


def _full(rows: list[Row]) -> int:
    return sum(row.points.split("/")[0] == row.points.split("/")[1] for row in rows)


def _example(solutions: Path) -> Path:
    return next(iter(solutions_below(solutions / "lefthand")[-1:]), solutions)
