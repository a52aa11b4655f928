"""Takes one pushed tag from receipt to report: reserve, grade, settle, tell."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from grader.cli.course import FAILED, PASSED, REFUSED, Course, TagPush, Tell
from grader.cli.publish import post, publish, remark, status
from grader.cli.tagged import read_tagged
from grader.errors import GraderError
from grader.forge.tag import checked_name, commit_of
from grader.gradebook.event import Key
from grader.gradebook.history import State
from grader.gradebook.keep import kept_sheet
from grader.gradebook.reserve import LEASE_S, Arrival, Outcome, Reservation, reserve
from grader.gradebook.settle import give_back, renewing, settle
from grader.gradebook.words import moment_text, number_text
from grader.report import markdown

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

_POLL_S = 1.0
POST_EVERY_S = 15.0
"""How often the issue follows the grading, at most."""


def attempt(course: Course, push: TagPush) -> int:
    """Do all that one tag asks for, and give the exit status."""
    tag = checked_name(push.repository, push.tag)
    commit = commit_of(push.repository, tag)
    arrival = Arrival(
        key=Key(assignment=course.assignment.name, party=course.roster.party(push.student)),
        student=push.student,
        tag=tag,
        commit=commit,
        at=push.at,
        origin=str(push.repository.path),
        private=push.private,
    )
    reservation = _reserve(course, arrival)
    if reservation.ticket is not None:
        return _grade(course, push, arrival=arrival, reservation=reservation)
    if reservation.outcome is Outcome.KNOWN:
        return _show_known(course, arrival, reservation)
    course.tell(reservation.text)
    post(course, arrival, body=f"{markdown.words(reservation.text)}\n", labels=("refused",))
    return REFUSED


def _reserve(course: Course, arrival: Arrival) -> Reservation:
    """Reserve; while another worker grades this very tag, wait for its result."""
    deadline = time.monotonic() + 5 * LEASE_S
    told = False
    while True:
        reservation = reserve(
            course.ledger, arrival, regulations=course.assignment.regulations, now=datetime.now(UTC)
        )
        if reservation.outcome is not Outcome.BUSY or time.monotonic() > deadline:
            return reservation
        if not told:
            course.tell(f"{reservation.text} Waiting for it …")
            told = True
        time.sleep(_POLL_S)


def _grade(course: Course, push: TagPush, *, arrival: Arrival, reservation: Reservation) -> int:
    assert reservation.ticket is not None
    ticket = reservation.ticket
    with renewing(course.ledger, ticket):
        submission, sheet = _run(course, push, arrival=arrival, reservation=reservation)
        try:
            settled = settle(course.ledger, ticket, sheet=sheet, now=datetime.now(UTC), submission=submission)
        except GraderError:
            publish(course, arrival, sheet, words="This result could not be written into the gradebook yet.")
            raise
    words = remark(course, arrival)
    if settled.our_fault:
        words = "The grader itself failed on a case: this attempt is given back. Submit the same tag again later."
    publish(course, arrival, sheet, words=words)
    return status(sheet)


def _run(
    course: Course, push: TagPush, *, arrival: Arrival, reservation: Reservation
) -> tuple[Submission, GradeSheet]:
    """Read and grade; whatever of ours fails gives the attempt back before it is told."""
    assert reservation.ticket is not None
    ticket = reservation.ticket
    text = reservation.text
    try:
        course.tell(text)
        post(course, arrival, body=f"{markdown.words(text)}\n\nGrading is under way …\n", labels=("running",))
        submission = read_tagged(push.repository, arrival.commit, student=push.student, assignment=course.assignment)
        return submission, course.grade(submission, _following(course, arrival, text))
    except BaseException as error:
        problem = (
            f"The grader failed ({type(error).__name__}); the attempt was given back. Submit the same tag again."
        )
        give_back(course.ledger, ticket, problem=problem, now=datetime.now(UTC))
        course.tell(problem)
        raise


def _following(course: Course, arrival: Arrival, text: str) -> Tell:
    """Tell each step, and let the issue follow now and then."""
    last = time.monotonic()

    def tell(step: str) -> None:
        nonlocal last
        course.tell(step)
        if time.monotonic() - last >= POST_EVERY_S:
            last = time.monotonic()
            post(course, arrival, body=f"{markdown.words(text)}\n\n{markdown.words(step)} …\n", labels=("running",))

    return tell


def _show_known(course: Course, arrival: Arrival, reservation: Reservation) -> int:
    known = reservation.attempt
    when = moment_text(known.at, course.assignment.regulations)
    if known.state is State.VOIDED:
        course.tell(f"The tag {arrival.tag!r}, received at {when}, was struck out by the staff: {known.text}")
        return REFUSED
    sheet = kept_sheet(course.ledger, known.id)
    text = f"The tag {arrival.tag!r} was received at {when} and graded; this is that result, and it costs nothing."
    if sheet is None:
        course.tell(f"{text} {number_text(known.points or 0)} of {number_text(known.max_points)} points.")
        return PASSED if known.points == known.max_points else FAILED
    publish(course, arrival, sheet, words=f"{text} {remark(course, arrival)}")
    return status(sheet)
