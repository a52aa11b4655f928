"""The course that tags are entered into: catalogue, book, class list, how to grade and whom to tell."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.forge.tag import PushedTag, checked_name, commit_of
from grader.gradebook.event import Key, Received
from grader.gradebook.ledger import open_ledger
from grader.gradebook.queries import party_of
from grader.gradebook.reserve import Arrival
from grader.gradebook.roster import Roster, read_roster
from grader.model.paths import cache_folder
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade import Grading, Reading
from grader.pipeline.grade import grade as grade_all
from grader.pipeline.prepare import prepare
from grader.report.layout import folder_name
from grader.report.registry import FORMATS, chosen
from grader.submit.render import RENDER, rendering
from grader.wiring import Settings, open_engine, open_readers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from grader.forge.git import Repository
    from grader.forge.host import Host
    from grader.gradebook.ledger import Ledger
    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan
    from grader.readers.pool import Readers
    from grader.submit.render import Rendered, Wanted

PASSED, FAILED, REFUSED, OUR_FAULT = 0, 1, 4, 70

Tell = Callable[[str], None]
Grade = Callable[["Submission", Tell], "GradeSheet"]
Render = Callable[["Wanted"], "Rendered"]

_EVERY_S = 1.0
_POLL_S = 0.2


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


def _no_grading(submission: Submission, tell: Tell) -> GradeSheet:
    del submission, tell
    raise AssertionError("staff's commands run nothing by a course")


@dataclass(frozen=True, kw_only=True)
class Course:
    """What stays the same from push to push."""

    assignment: Assignment
    ledger: Ledger
    render: Render
    tell: Tell
    roster: Roster
    grade: Grade = _no_grading
    out: Path = Path()
    formats: tuple[str, ...] = FORMATS
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
        return self.out / folder_name(student) / folder_name(tag)


@contextmanager
def open_course(entering: Entering, *, tell: Tell, host: Host | None = None) -> Iterator[Course]:
    """Open book, catalogue and class list; every fault in them is told before a tag is taken."""
    assignment = choose_assignment(entering.name, (), cases=entering.cases)
    plan = prepare(assignment)
    if not plan.cases:
        raise UsageError(f"{assignment.name} has no cases.")
    ledger, roster = open_ledger(entering.book), read_roster(entering.roster)
    reading = Reading.of(plan)
    # Readers are forked here, before the thread that keeps a lease alive starts.
    with open_readers((*reading.jobs, RENDER), entering.settings) as readers:
        yield Course(
            assignment=assignment,
            ledger=ledger,
            roster=roster,
            grade=_grader(plan, readers, reading, entering),
            render=lambda wanted: readers.ask(rendering(wanted)),
            out=entering.out,
            formats=chosen(entering.formats) if entering.formats else FORMATS,
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
            render=lambda wanted: readers.ask(rendering(wanted)),
            tell=tell,
        )


def _grader(plan: Plan, readers: Readers, reading: Reading, entering: Entering) -> Grade:
    slots = entering.slots or os.cpu_count() or 1

    def grade(submission: Submission, tell: Tell) -> GradeSheet:
        in_line = slot(
            cache_folder() / "slots",
            slots,
            waiting=lambda: tell("Other submissions are being graded; yours waits in line …"),
        )
        with in_line, open_engine(entering.settings) as engine:
            grading = Grading(plan, engine, readers, reading)
            return next(iter(grade_all(grading, [submission], seen=_steps(tell, len(plan.cases)))))

    return grade


def _steps(tell: Tell, total: int) -> Callable[[CaseResult], None]:
    """Tell how many cases are judged, at most once a second, and of none how it ended."""
    done, last = 0, time.monotonic()

    def seen(_: CaseResult) -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last >= _EVERY_S or done == total:
            last = time.monotonic()
            tell(f"{done} of {total} cases judged")

    return seen


@contextmanager
def slot(folder: Path, count: int, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold one of the machine's `count` slots for gradings; `waiting` is called once if none is free.

    A slot is a lock on a file of ours: the kernel frees it when its holder dies, however it dies.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = False
    while (held := _take(folder, count)) is None:
        if not told:
            waiting()
            told = True
        time.sleep(_POLL_S)
    try:
        yield
    finally:
        os.close(held)


def _take(place: Path, count: int) -> int | None:
    for number in range(count):
        descriptor = os.open(place / f"slot-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return descriptor
    return None
