"""One attempt from receipt to report, when the book or the grader fails on the way."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import course
import pytest
from model_values import make_assignment, make_result, make_sheet

from grader.forge.git import Repository
from grader.forge.tag import named
from grader.gradebook.db_errors import BookError
from grader.gradebook.history import State, histories
from grader.gradebook.ledger import open_ledger
from grader.gradebook.roster import Roster
from grader.model.verdict import Verdict
from grader.submit.attempt import attempt
from grader.submit.course import Course, render
from grader.submit.push import commit_reader

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from grader.gradebook.ledger import Ledger
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

ASSIGNMENT = make_assignment()


def sheet(submission: Submission, verdict: Verdict = Verdict.AC, *, outage: bool = False) -> GradeSheet:
    message = "" if verdict is Verdict.AC else "ours"
    case = make_result("first", verdict, points=1.0, message=message, outage=outage)
    return make_sheet(submission.id, case, points=1.0, max_points=1.0)


class Desk:
    """A course whose grading is a function of the test's."""

    def __init__(self, folder: Path) -> None:
        open_ledger(str(folder / "book.sqlite"), create=True)
        self.folder = folder
        self.ledger: Ledger = open_ledger(str(folder / "book.sqlite"))
        self.told: list[str] = []
        self.repository = Repository(course.student(folder))

    def push(self, grade: Callable[[Submission], GradeSheet], tag: str = "v1") -> int:
        entered = Course(
            assignment=ASSIGNMENT,
            ledger=self.ledger,
            roster=Roster(),
            grade=lambda submission, _: grade(submission),
            render=render,
            out=self.folder / "out",
            formats=("json", "md"),
            tell=self.told.append,
        )
        came = named(self.repository, tag)
        arrival = entered.arrival(self.repository, came, student="ann", at=datetime.now(UTC), private=None)
        return attempt(entered, arrival, commit_reader(self.repository, arrival, entered.assignment))

    def states(self) -> list[State]:
        return [each.state for each in histories(self.ledger, "hello")["ann"].attempts]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_book_that_goes_while_grading_loses_no_report(desk: Desk) -> None:
    """The result can't be settled, but the student's report is written, and the message says what happened."""

    def grade(submission: Submission) -> GradeSheet:
        for path in desk.folder.glob("book.sqlite*"):
            path.rename(path.with_name(f"away-{path.name}"))
        return sheet(submission)

    with pytest.raises(BookError, match="is gone or can't be opened"):
        desk.push(grade)
    assert (desk.folder / "out" / "hello" / "ann" / "v1" / "results.json").exists()
    assert "This result could not be written into the gradebook yet." in desk.told
    for path in desk.folder.glob("away-*"):
        path.rename(path.with_name(path.name.removeprefix("away-")))
    assert desk.states() == [State.STARTED]


def test_an_exception_of_ours_gives_the_attempt_back(desk: Desk) -> None:
    """Whatever breaks in the grader is told, refunded, and the same tag is graded afterwards."""

    def broken(_: Submission) -> GradeSheet:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        desk.push(broken)
    assert "The grader failed (RuntimeError); the attempt was given back. Submit the same tag again." in desk.told
    assert desk.states() == [State.REFUNDED]
    assert desk.push(sheet) == 0
    assert desk.states() == [State.SETTLED]


def test_an_interrupted_grading_is_given_back_at_once(desk: Desk) -> None:
    """Ctrl-C doesn't leave the attempt to its lease."""

    def interrupted(_: Submission) -> GradeSheet:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        desk.push(interrupted)
    assert desk.states() == [State.REFUNDED]


def test_an_outage_is_refunded_with_status_seventy(desk: Desk) -> None:
    """One case that failed through nobody's submission: exit 70, attempt given back, and the student is told."""
    assert desk.push(lambda submission: sheet(submission, Verdict.JE, outage=True)) == 70
    assert desk.states() == [State.REFUNDED]
    assert any("this attempt is given back" in line for line in desk.told)


def test_a_judge_error_that_a_submission_can_cause_costs_its_attempt(desk: Desk) -> None:
    """Whoever breaks the judge gets no attempts for it; the case costs no points, and the student is told."""
    assert desk.push(lambda submission: sheet(submission, Verdict.JE)) == 70
    assert desk.states() == [State.SETTLED]
    assert any("A case could not be judged; it costs you nothing" in line for line in desk.told)


def test_no_file_is_written_outside_the_reports(desk: Desk) -> None:
    """A tag with slashes stays below OUT/ASSIGNMENT/STUDENT, as one folder."""
    desk.repository.ask("tag", "deep/er")
    assert desk.push(sheet, tag="deep/er") == 0
    (written,) = desk.folder.rglob("results.json")
    assert written.parents[3] == desk.folder / "out"
