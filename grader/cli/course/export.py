"""Writes what counts: as CSV, or into the very file that a platform gave out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.atomic_write import replacing
from grader.cli.course.course_options import book_options, is_only_assignment, roster_option
from grader.cli.options import as_value, of_course
from grader.gradebook import export
from grader.gradebook.ledger import open_ledger
from grader.gradebook.queries import histories
from grader.gradebook.roster import read_roster
from grader.model.csv_table import read_table
from grader.model.words import plural
from grader.pipeline.find_assignment import choose_assignment
from grader.report.clean import clean_line
from grader.submit.course import FAILED
from grader.uploads.marks import Column, fill
from grader.uploads.people import People

if TYPE_CHECKING:
    from grader.gradebook.export import Line
    from grader.model.assignment import Assignment
    from grader.submit.course import BookOptions

_Left = tuple[str, float, str]
"""A student, points that no line shows, and why."""


class _Asked(NamedTuple):
    """In which form, and where to."""

    kind: str
    canvas_id: str | None
    into: Path | None
    column: str
    is_scaled: bool
    out: Path | None
    roster: Path | None


@click.command("export")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["csv", "canvas", "moodle"]),
    default="csv",
    show_default=True,
    help="Whose columns to write.",
)
@click.option("--canvas-id", metavar="ID", help="Canvas's number of the assignment (else the course's).")
@click.option(
    "--into",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="A Canvas gradebook or Moodle worksheet: write it again with the marks, every other cell kept.",
)
@click.option("--column", default="", metavar="NAME", help="With --into: the column, when it can't be told.")
@click.option("--scale", "is_scaled", is_flag=True, help="With --into: convert marks to the platform's points.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="A file; the terminal by default.")
@roster_option
@book_options
@as_value(_Asked, "asked")
def export_grades(place: BookOptions, asked: _Asked) -> int:
    """Write what counts, for a spreadsheet, Canvas or Moodle.

    Whatever the book holds and the file doesn't show is named on standard error, and makes the exit status 1.
    """
    assignment = choose_assignment(place.name, (), cases=place.cases)
    ledger = open_ledger(place.book)
    past = histories(ledger, assignment.name)
    found = export.export(assignment, past, read_roster(asked.roster).of(assignment.name))
    canvas_id = asked.canvas_id or of_course(lambda course: course.canvas_id(assignment.name), "")
    left = [(each.who, each.points, each.why) for each in found.unmatched]
    count = len(found.lines)
    if asked.into is not None:
        marks = {line.entry.student: line.points for line in found.lines}
        most = assignment.max_points + assignment.rubric_points
        column = Column(assignment.title, most, canvas_id, asked.column, asked.is_scaled)
        is_only = is_only_assignment(ledger, assignment.name)
        people = People((line.entry for line in found.lines), is_only_assignment=is_only)
        filled = fill(read_table(asked.into), marks, people, column)
        content, count = filled.content, filled.written
        left += [(name, float(marks[name]), why) for name, why in filled.left]
    else:
        lines = found.lines
        if asked.kind != "csv":
            lines, misplaced = _placed(lines, asked.kind, is_only=is_only_assignment(ledger, assignment.name))
            left += misplaced
        content = _text(assignment, lines, asked.kind, canvas_id).encode()
    _write(content, asked.out, count)
    for who, points, why in left:
        click.echo(f"not in the export: {clean_line(who)}, {plural(points, 'point')}: {clean_line(why)}", err=True)
    return FAILED if left else 0


def _placed(lines: tuple[Line, ...], kind: str, *, is_only: bool) -> tuple[tuple[Line, ...], list[_Left]]:
    """Return the lines that reach their student, and the marks of the others."""
    why = export.misplaced(kind, lines, is_only_assignment=is_only)
    gone = [line for line in lines if line.points and line.entry.student in why]
    return tuple(line for line in lines if line not in gone), [
        (line.entry.student, float(line.points), why[line.entry.student]) for line in gone
    ]


def _text(assignment: Assignment, lines: tuple[Line, ...], kind: str, canvas_id: str) -> str:
    if kind == "canvas":
        return export.canvas(assignment, lines, assignment_id=canvas_id)
    return export.moodle(assignment, lines) if kind == "moodle" else export.plain(assignment, lines)


def _write(content: bytes, out: Path | None, count: int) -> None:
    if out is None:
        click.echo(content.decode("utf-8", "replace"), nl=False)
        return
    with replacing(out, private=True) as file:  # everybody's marks: staff's alone
        file.write(content)
    click.echo(f"{out}: {plural(count, 'student')}")
