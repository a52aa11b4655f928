"""Packs a page for each student into the zip that a platform gives back to them."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.atomic_write import replacing
from grader.cli.course.course_options import book_options, is_only_assignment, roster_option, warn
from grader.cli.options import as_value
from grader.errors import GraderError
from grader.gradebook import staff
from grader.gradebook.event import HandedBack, Key
from grader.gradebook.export import export
from grader.gradebook.history import State, histories
from grader.gradebook.roster import read_roster
from grader.model.csv_table import read_table
from grader.model.verdict import Audience
from grader.model.words import plural
from grader.report.clean import clean_line
from grader.submit.course import FAILED, open_staff_course
from grader.submit.publish import page_of
from grader.uploads.class_list import Platform
from grader.uploads.marks import feedback_name, participants
from grader.uploads.people import People
from grader.zips import zip_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.gradebook.export import Line
    from grader.gradebook.history import Attempt, History
    from grader.submit.course import BookOptions, Course


class _Asked(NamedTuple):
    platform: str
    out: Path
    since_last: bool
    worksheets: tuple[Path, ...]
    roster: Path | None


@click.command()
@click.option(
    "--format",
    "platform",
    type=click.Choice([Platform.MOODLE.value, Platform.CANVAS.value]),
    required=True,
    help="Whose zip: Moodle's feedback files, or Canvas's uploaded submissions.",
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The zip to write.")
@click.option("--since-last", is_flag=True, help="Only what changed since the last feedback zip, with the reasons.")
@click.option(
    "--worksheet",
    "worksheets",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="This assignment's Moodle grading worksheet: whose number is which, where no upload says it.",
)
@roster_option
@book_options
@as_value(_Asked, "asked")
def feedback(place: BookOptions, asked: _Asked) -> int:
    """Pack one page per student, as students may see it, for the platform to hand back.

    A page is of the attempt that counts. Whoever has one and can't be named to the platform is named here, and makes
    the exit status 1.
    """
    with (
        open_staff_course(place, tell=warn) as opened,
        tempfile.TemporaryDirectory(prefix="grader-feedback-") as spare,
    ):
        course = replace(opened, formats=("html",))
        past = histories(course.ledger, place.name)
        lines = export(course.assignment, past, read_roster(asked.roster).of(place.name)).lines
        wanted = [(line, attempt) for line, attempt in _attempts(lines, past) if _is_news(attempt, asked.since_last)]
        names = _names(course, lines, past, asked)
        pages, told, left = _pages(course, wanted, names, Path(spare))
        with replacing(asked.out, private=True) as file:
            file.write(zip_files(pages))
        for key, attempt in told.items():
            staff.note_told(course.ledger, key, attempt, HandedBack, now=datetime.now(UTC))
    click.echo(f"{asked.out}: {plural(len(pages), 'page')}")
    for line in left:
        click.echo(f"no page for {clean_line(line)}", err=True)
    return FAILED if left else 0


def _attempts(lines: tuple[Line, ...], past: dict[str, History]) -> Iterator[tuple[Line, Attempt]]:
    """Yield each student's attempt that counts; or, where none does any more, the last that was handed back."""
    for line in lines:
        counted = line.standing.counted
        own = past[line.party].attempts if line.party else ()
        gone = [each for each in own if each.state is State.VOIDED and each.handed_back is not None]
        if counted is not None:
            yield line, counted.attempt
        elif gone:
            yield line, gone[-1]


def _is_news(attempt: Attempt, since_last: bool) -> bool:
    return not since_last or attempt.handed_back is None or attempt.handed_back < len(attempt.changes)


class _Names(NamedTuple):
    """By which names the platform finds its students."""

    platform: Platform
    numbers: dict[str, str]
    """Student → Moodle's number in this assignment."""

    def of(self, line: Line, attempt: Attempt) -> str:
        """Return the page's name; nothing for a member whose page goes to whoever uploaded it."""
        is_own = attempt.student == line.entry.student
        number = self.numbers.get(line.entry.student, "")
        name = feedback_name(self.platform, line.entry, attempt.received.upload if is_own else "", number)
        if name or (self.platform is Platform.CANVAS and attempt.received.upload and not is_own):
            return name
        hint = "" if self.platform is Platform.CANVAS else " (its number in this assignment isn't known: --worksheet)"
        raise GraderError(f"{self.platform} can't be told whose it is{hint}")


def _names(course: Course, lines: tuple[Line, ...], past: dict[str, History], asked: _Asked) -> _Names:
    is_only = is_only_assignment(course.ledger, course.assignment.name)
    people = People((line.entry for line in lines), is_only_assignment=is_only)
    for path in asked.worksheets:
        people.learn(read_table(path))
    attempts = (each for history in past.values() for each in history.attempts)
    numbers = participants(people, ((each.student, each.received.upload) for each in attempts))
    return _Names(Platform(asked.platform), numbers)


def _pages(
    course: Course, wanted: list[tuple[Line, Attempt]], names: _Names, spare: Path
) -> tuple[dict[str, bytes], dict[Key, Attempt], list[str]]:
    """Return the pages by their names in the zip, whose attempts they are, and who gets none."""
    pages: dict[str, bytes] = {}
    told: dict[Key, Attempt] = {}
    missed: set[Key] = set()
    left: list[str] = []
    is_silent = course.assignment.hides_outcomes(Audience.STUDENT)
    for line, attempt in wanted:
        key = Key(assignment=course.assignment.name, party=line.party)
        try:
            name = names.of(line, attempt)
            if not name:
                continue
            pages[name] = page_of(course, key, attempt, folder=spare / attempt.id)
        except GraderError as error:
            left.append(f"{line.entry.student}: {error}")
            missed.add(key)
            continue
        told[key] = attempt
        news = [change.text(is_silent=is_silent) for change in attempt.changes[attempt.handed_back or 0 :]]
        click.echo(clean_line(f"{line.entry.student}  {attempt.tag}  {'; '.join(news) or 'first page'}"))
    return pages, {key: attempt for key, attempt in told.items() if key not in missed}, left
