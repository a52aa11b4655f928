"""The course that tags are entered into: catalogue, book, class list, how to grade and whom to tell."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec

from grader.errors import UsageError
from grader.forge.tag import PushedTag, checked_name, commit_of
from grader.gradebook.event import Key, Received
from grader.gradebook.history import party_of
from grader.gradebook.ledger import open_ledger
from grader.gradebook.reserve import Arrival
from grader.gradebook.roster import Roster, read_roster
from grader.model.file_names import cache_folder
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade import Grading, Reading
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import prepare
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Job
from grader.report import markdown
from grader.report.layout import folder_name
from grader.report.registry import chosen
from grader.report.text import terminal
from grader.report.view import outline
from grader.report.writer import Wanted, write
from grader.submit.slots import Slots
from grader.wiring import Settings, open_engine, open_readers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from grader.forge.git import Repository
    from grader.forge.host import Host
    from grader.gradebook.ledger import Ledger
    from grader.intake.entries import Entry
    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan
    from grader.readers.job import Errand
    from grader.readers.pool import Readers

TAG_FORMATS = ("html", "md", "json")
"""What an attempt's folder has, unless other formats are named."""
PASSED, FAILED, REFUSED, OUR_FAULT = 0, 1, 4, 70

Tell = Callable[[str], None]
Grade = Callable[["Submission", Tell], "GradeSheet"]
Render = Callable[["Wanted"], "Rendered"]
Collect = Callable[["Entry"], "Submission"]

_SURE = frozenset({Verdict.AC, Verdict.WA, Verdict.RTE, Verdict.PV})
"""Verdicts that stay, whatever comes of other cases."""


@dataclass(frozen=True, kw_only=True)
class BookOptions:
    """Which assignment of which book, by which catalogue."""

    name: str
    book: str
    cases: Path | None


@dataclass(frozen=True, kw_only=True)
class Entering(BookOptions):
    """Where tags are entered and reports written, as a command line says it."""

    out: Path
    roster: Path | None
    formats: tuple[str, ...]
    slots: int | None
    settings: Settings


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    """What is left to tell, and what the student may know of the outcome."""

    terminal: str
    markdown: str
    has_passed: bool
    verdicts: tuple[str, ...]
    """Of the cases that the student may see, beside AC."""
    problem: str = ""
    """Why the files couldn't be written."""


def render(wanted: Wanted) -> Rendered:
    """Write the files, and return the words."""
    problem = ""
    try:
        shown = write(wanted)
    except OSError as error:
        shown = wanted.view()
        problem = f"The report files can't be written to {wanted.folder}: {error.strerror}."
    verdicts = {str(case.verdict) for case in shown.cases if case.verdict not in {None, Verdict.AC}}
    return Rendered(
        terminal=terminal.render(shown).rstrip(),
        markdown=markdown.render(shown),
        has_passed=shown.has_passed,
        verdicts=tuple(sorted(verdicts)),
        problem=problem,
    )


RENDER: Job[Wanted, Rendered] = Job(render, takes=Wanted, gives=Rendered, cpu_s=RENDER_S)


def rendered(wanted: Wanted) -> Errand[Rendered]:
    """Render in a reader; what is written without the student's words is compared with nothing."""

    def given(sheet: GradeSheet) -> Wanted:
        before = wanted.before if sheet is wanted.sheet else None
        return msgspec.structs.replace(wanted, sheet=sheet, before=before)

    return rendering(RENDER, wanted.sheet, given)


def _nothing_runs(*_: object) -> NoReturn:
    raise AssertionError("staff's commands run nothing by a course")


@dataclass(frozen=True, kw_only=True)
class Course:
    """What stays the same from push to push."""

    assignment: Assignment
    ledger: Ledger
    render: Render
    tell: Tell
    roster: Roster
    grade: Grade = _nothing_runs
    collect: Collect = _nothing_runs
    out: Path = Path()
    formats: tuple[str, ...] = TAG_FORMATS
    host: Host | None = None

    def arrival(
        self, repository: Repository, tag: PushedTag, *, student: str, at: datetime, private: bool | None
    ) -> Arrival:
        """Return the push as the book takes it; raise TagError for a tag that can't be graded."""
        name = checked_name(repository, tag.name)
        return self.noted(repository, PushedTag(name=name, oid=commit_of(repository, tag)), student, at, private)

    def noted(
        self, repository: Repository, tag: PushedTag, student: str, at: datetime, private: bool | None = None
    ) -> Arrival:
        """Return a push whose object needs no look; a known tag keeps the party under which it came first."""
        known = party_of(self.ledger, self.assignment.name, student=student, tag=tag.name)
        party = known or self.roster.party(student)
        received = Received(
            tag=tag.name,
            commit=tag.oid,
            origin=str(repository.path.absolute()),
            private=private,
            members=self.roster.members(party),
            host=self.host.place if self.host else "",
            reports=str(self.report_folder(student, tag.name).absolute()),
        )
        return Arrival(
            key=Key(assignment=self.assignment.name, party=party), student=student, at=at, received=received
        )

    def report_folder(self, student: str, tag: str) -> Path:
        return self.out / folder_name(self.assignment.name) / folder_name(student) / folder_name(tag)


@contextmanager
def open_course(
    entering: Entering, *, tell: Tell, host: Host | None = None, is_bulk: bool = False
) -> Iterator[Course]:
    """Open book, catalogue and class list; every fault in them is told before a tag is taken."""
    assignment = choose_assignment(entering.name, (), cases=entering.cases)
    plan = prepare(assignment)
    if not plan.cases:
        raise UsageError(f"{assignment.name} has no cases.")
    ledger, roster = open_ledger(entering.book), read_roster(entering.roster).of(assignment.name)
    reading = Reading.of(plan)
    # Readers are forked here, before the thread that keeps a lease alive starts.
    with open_readers((*reading.jobs, RENDER), entering.settings) as readers:
        yield Course(
            assignment=assignment,
            ledger=ledger,
            roster=roster,
            grade=_grader(plan, readers, reading, entering, is_bulk=is_bulk),
            collect=lambda entry: readers.ask(reading.admission.collect(entry)),
            render=lambda wanted: readers.ask(rendered(wanted)),
            out=entering.out,
            formats=chosen(entering.formats) if entering.formats else TAG_FORMATS,
            tell=tell,
            host=host,
        )


@contextmanager
def open_staff_course(place: BookOptions, *, tell: Tell) -> Iterator[Course]:
    """Open a course for what staff decide: nothing is run by it, and reports go where they were."""
    assignment, ledger = choose_assignment(place.name, (), cases=place.cases), open_ledger(place.book)
    with open_readers((RENDER,), Settings(workers=1)) as readers:
        yield Course(
            assignment=assignment,
            ledger=ledger,
            roster=Roster(),
            render=lambda wanted: readers.ask(rendered(wanted)),
            tell=tell,
        )


def slots_of(slots: int | None) -> Slots:
    """Return this machine's slots; all graders of one account share them."""
    return Slots(cache_folder() / "slots", slots or os.cpu_count() or 1)


def _grader(plan: Plan, readers: Readers, reading: Reading, entering: Entering, *, is_bulk: bool) -> Grade:
    slots = slots_of(entering.slots)

    def grade(submission: Submission, tell: Tell) -> GradeSheet:
        in_line = slots.slot(
            is_bulk=is_bulk, waiting=lambda: tell("Other submissions are being graded; yours waits in line …")
        )
        with in_line, open_engine(entering.settings) as engine:
            grading = Grading(plan, engine, readers, reading)
            return next(iter(grade_all(grading, [submission], seen=_steps(tell, plan))))

    return grade


def _steps(tell: Tell, plan: Plan) -> Callable[[CaseResult], None]:
    """Tell how the visible cases went, in the catalogue's order; of the others not even that they were judged.

    What may still change, as a time-out that is confirmed, is only told to have come.
    """
    open_ids = [each.case.id for each in plan.cases if each.case.facts.visibility is Visibility.VISIBLE]
    judged: dict[str, CaseResult] = {}
    left = list(open_ids)

    def seen(result: CaseResult) -> None:
        judged[result.facts.id] = result
        while left and left[0] in judged:
            tell(_step(judged[left.pop(0)], len(open_ids) - len(left), len(open_ids)))

    return seen


def _step(result: CaseResult, done: int, total: int) -> str:
    count = f"{done} of {total} visible cases judged"
    is_sure = result.verdict in _SURE
    return f"{outline(result, done).outcome}: {result.facts.title} ({count})" if is_sure else count
