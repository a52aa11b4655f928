"""What goes back to a platform: marks into its own file, where every other cell stays, and feedback under its names.

Moodle    <folder of the bulk download>/feedback.html; the number in the folder's name tells whose it is, and is of
          this assignment alone
Canvas    <file of the bulk download>, as HTML: the numbers of user and attachment in its name tell whose it is
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import UsageError
from grader.model.words import number_text
from grader.uploads.class_list import Platform, platform_of
from grader.uploads.hand_ins import read_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from grader.model.csv_table import Line, Table
    from grader.model.lms import Student
    from grader.uploads.people import People

_NUMBERED = re.compile(r".*\((\d+)\)", re.DOTALL)
_POSSIBLE = "Points Possible"
_PAGE = "feedback.html"


class Column(NamedTuple):
    """Which column is meant: by its whole name, by Canvas's number, or by the assignment's title."""

    title: str
    most: float
    """The assignment's points."""
    canvas_id: str = ""
    name: str = ""
    is_scaled: bool = False
    """Whether marks are converted where the platform counts in other points."""


class Filled(NamedTuple):
    content: bytes
    written: int
    """Students whose cell holds their mark now."""
    left: tuple[tuple[str, str], ...]
    """Students whose mark has no cell, and why."""


def fill(table: Table, marks: Mapping[str, str], people: People, column: Column) -> Filled:
    """Put each student's mark into the table's cell; a student without a mark keeps what stands there."""
    platform = platform_of(table)
    at = _column(table, platform, column)
    factors = _factors(table, platform, at, column)
    has_comma = any("," in line.text(at) for line in table.lines) and table.delimiter != ","
    news: dict[tuple[int, int], str] = {}
    seen: set[str] = set()
    left: dict[str, str] = {}
    owners = {line.number: people.line(table, line).student for line in table.lines}
    times = Counter(owners.values())
    for line in table.lines:
        student = owners[line.number]
        if not student or not marks.get(student):
            continue
        if times[student] > 1:
            left[student] = "has several lines in the file"
            continue
        if at >= len(line.cells):
            left[student] = f"line {line.number} has no cell in that column"
        elif table.value(line, "Grade can be changed").lower() == "no" and platform is Platform.MOODLE:
            left[student] = f"line {line.number} says that the grade can't be changed"
        else:
            seen.add(student)
            mark = float(marks[student]) * factors.get(line.number, 1.0)
            if _number(line.text(at)) != round(mark, 4):
                text = number_text(mark)
                news[line.number, at] = text.replace(".", ",") if has_comma else text
    left |= {name: "has no line in the file" for name in marks if marks[name] and name not in {*seen, *left}}
    return Filled(table.replaced(news), len(seen), tuple(left.items()))


def _column(table: Table, platform: Platform, column: Column) -> int:
    if column.name:
        found = table.column(column.name)
        if found is None:
            raise UsageError(
                f"{table.path} has no column {column.name!r}.", hint=f"It has {', '.join(table.names())}"
            )
        return found
    if platform is Platform.MOODLE:
        found = table.column("Grade")
        if found is None:
            raise UsageError(f"{table.path} has no column Grade.")
        return found
    numbered = [(at, name) for at, name in enumerate(table.names()) if _NUMBERED.fullmatch(name)]
    fitting = [at for at, name in numbered if _fits(name, column)]
    if len(fitting) == 1:
        return fitting[0]
    known = ", ".join(name for _, name in numbered) or ", ".join(table.names())
    what = f"the number {column.canvas_id}" if column.canvas_id else f"the title {column.title!r}"
    raise UsageError(
        f"{table.path} has {'several columns' if fitting else 'no column'} of {what}.",
        hint=f"Name it with --column, or canvas_id in course.yaml: {known}",
    )


def _fits(name: str, column: Column) -> bool:
    if column.canvas_id:
        return name.endswith(f"({column.canvas_id})")
    return name.rpartition("(")[0].strip() == column.title


def _factors(table: Table, platform: Platform, at: int, column: Column) -> dict[int, float]:
    """Return what a mark is multiplied by on each line; refuse a file that counts in other points, unless asked."""
    most = column.most
    possible = {line.number: _number(_possible(table, line, platform, at)) for line in table.lines}
    told = {value for value in possible.values() if value is not None}
    if told - {most} and not column.is_scaled:
        other = number_text(max(told - {most}))
        raise UsageError(
            f"{table.path} counts in {other} points, and the assignment in {number_text(most)}.",
            hint="Set the platform's points to the assignment's, or let marks be scaled: --scale",
        )
    whole = next(iter(told), most) if platform is Platform.CANVAS else None
    return {number: ((whole or value or most) / most if most else 1.0) for number, value in possible.items()}


def _possible(table: Table, line: Line, platform: Platform, at: int) -> str:
    if platform is Platform.MOODLE:
        return table.value(line, "Maximum Grade")
    return line.text(at) if line.text(0) == _POSSIBLE else ""


def _number(text: str) -> float | None:
    try:
        return round(float(text.replace(",", ".")), 4)
    except ValueError:
        return None


def participants(people: People, uploads: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return student → Moodle's number in this assignment, each of one student alone.

    The assignment's worksheet says it, else the names of the students' uploads; the class list only where nothing
    speaks against its numbers being of this assignment.
    """
    told: dict[str, set[str]] = {}
    for student, upload in uploads:
        found = read_name(upload)
        if found is not None and found.platform is Platform.MOODLE:
            told.setdefault(student, set()).add(found.number)
    own = {name: next(iter(numbers)) for name, numbers in told.items() if len(numbers) == 1}
    listed = {name: each.moodle_id for name, each in people.students.items() if each.moodle_id}
    agreed = [listed.get(each) == own[each] for each in own if each in listed or own[each] in listed.values()]
    is_ours = all(agreed) and (people.is_only_assignment or bool(agreed))
    guessed = {name: number for name, number in listed.items() if is_ours and name not in told}
    numbers = people.listed() or guessed | own
    times = Counter(numbers.values())
    return {name: number for name, number in numbers.items() if times[number] == 1}


def feedback_name(platform: Platform, student: Student, upload: str, participant: str = "") -> str:
    """Return the name in the zip under which the platform finds the student; empty when it can't."""
    found = read_name(upload) if upload else None
    if platform is Platform.CANVAS:
        is_known = found is not None and found.platform is platform and found.number == student.canvas_id
        return f"{upload.rpartition('.')[0] or upload}.html" if is_known else ""
    if found is not None and found.platform is platform and "_" not in found.person and found.number == participant:
        return f"{found.top}/{_PAGE}"
    person = (student.name or student.student).replace("_", " ").replace("/", " ").replace("\\", " ")
    # Moodle reads a name up to its first underscore.
    return f"{person}_{participant}_assignsubmission_file/{_PAGE}" if participant else ""
