"""Makes the course folder, and shows what holds in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
from tabulate import tabulate

from grader.atomic_write import replacing
from grader.bundled import bundled
from grader.catalogue.load import assignment_names, find_catalogue, load_assignment
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.course.folder import NAME, find_course, read_course
from grader.errors import UsageError
from grader.gradebook.db_errors import hide_password
from grader.gradebook.ledger import open_ledger
from grader.gradebook.messages import moment_text
from grader.gradebook.roster import read_roster
from grader.model.words import number_text, plural
from grader.submit.course import FAILED
from grader.uploads.class_list import read_class_list
from grader.uploads.people import join, roster_text

_ROSTER = "roster.csv"


@click.group()
def course() -> None:
    """Keep the course folder: one file, course.yaml, that every command below it reads."""


@course.command()
@click.argument("class_lists", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option("-a", "--assignment", "names", multiple=True, metavar="NAME", help="An assignment; all by default.")
@click.option("--title", default="My course", show_default=True, help="The course's name.")
@click.option("--zone", default="", metavar="ZONE", help="The time zone of a platform's lists, such as Asia/Taipei.")
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="The course's folder."
)
def init(class_lists: tuple[Path, ...], names: tuple[str, ...], title: str, zone: str, folder: Path) -> int:
    """Make a course folder from CLASS_LISTS: a Canvas gradebook, a Moodle grading worksheet, a plain CSV.

    The first list names the students, further ones add what they know of them: the other platform's numbers, groups.
    A line that fits nobody, or several, is named, and makes the exit status 1.
    """
    path = folder / NAME
    if path.exists():
        raise UsageError(f"{path} exists already.", hint="Edit it, or make the course in another folder: --dir")
    joined = join(map(read_class_list, class_lists))
    folder.mkdir(parents=True, exist_ok=True)
    text = _course_text(folder, names, title=title, zone=zone)
    _write(folder / _ROSTER, roster_text(joined))
    _write(path, text)
    made = read_course(path)
    open_ledger(made.book, create=True)
    click.echo(f"{path}: {plural(len(made.file.assignments), 'assignment')}")
    click.echo(f"{folder / _ROSTER}: {plural(len(joined.students), 'student')}")
    for stranger in joined.strangers:
        click.echo(f"not in the class list: {stranger}", err=True)
    click.echo("Write the due dates into course.yaml; then: grader course show")
    return FAILED if joined.strangers else 0


@course.command()
def show() -> None:
    """Show the course here: its assignments with dates and points, its class, its book."""
    found = find_course()
    if found is None:
        raise UsageError("There is no course.yaml here or above.", hint="To make one: grader course init CLASS_LIST")
    rows = []
    for name in found.file.assignments:
        assignment = found.load(name)
        regulations = assignment.regulations
        due = moment_text(regulations.due, regulations) if regulations.due else "no due date"
        past = " (past)" if regulations.due and regulations.due < datetime.now(UTC) else ""
        rows.append(
            (name, assignment.title, number_text(assignment.max_points + assignment.rubric_points), f"{due}{past}")
        )
    roster = read_roster(found.roster)
    if found.roster is not None:
        read_class_list(found.roster)  # two lines with one number of a platform are a fault of exports alone
    groups = {entry.group for entry in roster.entries if entry.group}
    groups |= {team for teams in roster.teams.values() for team in teams.values() if team}
    click.echo(f"{found.file.title} ({found.path})")
    people = f"{plural(len(roster.entries), 'student')} in {plural(len(groups), 'group')}"
    click.echo(f"{people}; book {hide_password(found.book)}\n")
    click.echo(tabulate(rows, headers=("assignment", "title", "points", "due"), disable_numparse=True))


def _course_text(folder: Path, names: tuple[str, ...], *, title: str, zone: str) -> str:
    own = folder / "cases"
    catalogue = own if assignment_names(own) else bundled("cases")
    known = assignment_names(find_catalogue(catalogue))
    for name in names:
        if name not in known:
            raise UsageError(f"There is no assignment {name} in {catalogue}.", hint=did_you_mean(name, known))
    lines = [
        "format: 1",
        f"title: {_quoted(title)}",
        f"roster: {_ROSTER}",
        "book: gradebook.sqlite",
        "reports: reports",
    ]
    lines += [
        f"zone: {zone}" if zone else "# zone: Asia/Taipei   the time zone of a platform's lists",
        "assignments:",
    ]
    for name in names or known:
        due = load_assignment(catalogue, name, check_inputs=False).regulations.due
        lines += [f"  {name}:", "    regulations:"]
        shown = due.isoformat() if due and due > datetime.now(UTC) else "null"
        lines.append(f"      due: {shown}  # such as 2019-04-04T23:59:59+08:00, with its UTC offset")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    escaped = "".join(letter if letter.isprintable() else " " for letter in text).replace("'", "''")
    return f"'{escaped}'"


def _write(path: Path, text: str) -> None:
    with replacing(path, private=True) as file:
        file.write(text.encode())
