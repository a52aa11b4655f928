"""Grades a small bundled class in every assignment."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.catalogue.load import find_catalogue, load
from grader.cli.grade import grade_batch
from grader.cli.own_name import own_name, short
from grader.intake.entries import entries
from grader.model.verdict import Level
from grader.pipeline.prepare import prepare
from grader.prove.matrix import solutions_below
from grader.prove.programs import known_programs
from grader.report.html import demopage
from grader.report.layout import CLASS_PAGE, folder_name, write_atomically
from grader.report.writer import RunWriter, Style
from grader.wiring import Settings

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.report.writer import ClassFacts

_OF_EACH = {"AC": 2, "WA": 2, "TLE": 0}
"""How many solutions of each expected verdict are in the demo's class; one of every other."""
_ALSO = (
    "right_hand",
    "late_colour",
    "tie_by_age",
    "red_ignored",
    "no_diagonals",
    "yellow_ignored",
    "rotates_right_first",
    "start_faces_any",
    "end_is_no_first_way",
    "food_is_no_way",
    "greedy",
    "tie_by_set_order",
)
"""Mistakes in the demo's class as well: some that fail alike and one that never ends, the best examples first."""
_FIRST, _MINE = "lefthand", "right_hand"
"""The assignment and the program that the next steps are about."""


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
    graded, is_walled = [], True
    for assignment in load(catalogue):
        with known_programs(assignment) as programs:
            students = _small_class(solutions_below(programs))
            click.echo(
                f"{assignment.name:<12}{len(students):>3} submissions × {len(assignment.cases)} cases … ", nl=False
            )
            facts = _grade(assignment, students, out / assignment.name)
            if assignment.name == _FIRST:
                _lay_out(programs, out)
        names = {path.name for path in students}
        is_walled = is_walled and Level(facts.level).reaches(Level.CONFINED)
        graded.append(_counted(assignment, facts, example=next((name for name in _ALSO if name in names), "")))
        click.echo(f"{graded[-1].full} with full points")
    write_atomically(out / CLASS_PAGE, demopage.render(graded), private=True)
    if not is_walled:
        click.echo(
            "\nWithout a sandbox: this machine offers none. `grader grade` refuses that unless it is asked to."
        )
    click.echo(f"\nGraded in {time.monotonic() - begun:.1f} s. Open the reports in a browser:")
    click.echo(f"  {(out / CLASS_PAGE).absolute().as_uri()}\n\n{_next(out)}")


def _grade(assignment: Assignment, students: tuple[Path, ...], out: Path) -> ClassFacts:
    plan, given = prepare(assignment), entries(students, assignment)
    writer = RunWriter(Style(out=out, above=f"../{CLASS_PAGE}"))
    return grade_batch(plan, given, writer=writer, settings=Settings(require=Level.NONE), meter="auto").facts


def _small_class(solutions: tuple[Path, ...]) -> tuple[Path, ...]:
    """Choose a few of each verdict; the whole tree is for proving the catalogue."""
    chosen: dict[str, list[Path]] = {}
    for path in solutions:
        chosen.setdefault(path.parent.name, []).append(path)
    first = {path for verdict, paths in chosen.items() for path in paths[: _OF_EACH.get(verdict, 1)]}
    return tuple(path for path in solutions if path in first or path.name in _ALSO)


def _counted(assignment: Assignment, facts: ClassFacts, *, example: str) -> demopage.Graded:
    return demopage.Graded(
        name=assignment.name,
        title=assignment.title,
        about=assignment.about,
        submissions=facts.submissions,
        cases=len(assignment.cases),
        full=facts.full,
        example=example,
        folder=folder_name(example),
    )


def _lay_out(solutions: Path, out: Path) -> None:
    """Copy a class and a solution beside the reports, so that the next steps have short paths."""
    for path in _small_class(solutions_below(solutions)):
        shutil.copytree(path, out / "class" / path.name, dirs_exist_ok=True)
    shutil.copytree(solutions / "WA" / _MINE, out / "mine", dirs_exist_ok=True)
    (out / "mine" / "grader.toml").write_text('assignment = "lefthand"\n')


def _next(out: Path) -> str:
    grader, here = own_name(), short(out)
    steps = (
        (f"check {here}/mine", "what a student sees"),
        (f"grade {here}/class -a lefthand", "what an instructor types"),
        ("cases list -a lefthand", "the questions"),
        ("doctor", "which protections work on this machine"),
    )
    width = max(len(command) for command, _ in steps)
    return "\n".join(["Try next:", *(f"  {grader} {command:<{width}}  {what}" for command, what in steps)])
