"""Take one hand-in from receipt to report: reserve, grade, settle, tell."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError
from grader.gradebook.contents import content_digest, kept_sheet
from grader.gradebook.history import State
from grader.gradebook.messages import moment_text
from grader.gradebook.reserve import LEASE_S, Arrival, Outcome, Reservation, reserve
from grader.gradebook.settle import give_back, renewing, settle
from grader.model.verdict import Audience
from grader.model.words import number_text
from grader.report import markdown
from grader.report.clean import clean_line
from grader.submit.course import FAILED, OUR_FAULT, PASSED, REFUSED, Course, Tell
from grader.submit.publish import Graded, post, publish, publish_unsettled

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.model.submission import Submission

Read = Callable[[], "Submission"]

_POLL_S = 1.0
POST_EVERY_S = 15.0
"""How often the issue follows the grading, at most."""
_LONGEST_PROBLEM = 2000
_OUTAGE = "The grader itself failed on a case: this attempt is given back. Submit the same tag again later."


def attempt(course: Course, arrival: Arrival, read: Read) -> int:
    """Do all that one hand-in asks for, and return the exit status; `read` gives what it holds."""
    handed = _look(read)
    reservation = _reserve(course, _seen(arrival, handed))
    if reservation.ticket is not None:
        return _grade(course, arrival, reservation, (lambda: handed) if handed else read)
    if reservation.outcome is Outcome.KNOWN:
        return _show_known(course, arrival, reservation)
    if reservation.outcome is Outcome.SAME:
        return _show_same(course, arrival, reservation)
    course.tell(reservation.text)
    is_open = reservation.outcome is Outcome.OPEN
    post(
        course,
        arrival.tag,
        body=f"{markdown.words(reservation.text)}\n",
        labels=("running" if is_open else "refused",),
    )
    return OUR_FAULT if is_open else REFUSED


def _look(read: Read) -> Submission | None:
    """Read before an attempt is taken; what fails here is our fault, and fails again where it is given back."""
    try:
        return read()
    except Exception:  # noqa: BLE001 -- whatever it is, grading tells it
        return None


def _seen(arrival: Arrival, handed: Submission | None) -> Arrival:
    """Let the book know the files, so that equal ones and such as can't be graded use no attempt."""
    if handed is None:
        return arrival
    if handed.problem:
        said = " ".join((handed.problem, *(note.message for note in handed.notes)))
        return msgspec.structs.replace(arrival, problem=clean_line(said, _LONGEST_PROBLEM))
    return msgspec.structs.replace(arrival, content=content_digest(msgspec.msgpack.encode(handed.files)))


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


def _grade(course: Course, arrival: Arrival, reservation: Reservation, read: Read) -> int:
    assert reservation.ticket is not None
    ticket = reservation.ticket
    with renewing(course.ledger, ticket):
        submission, sheet = _run(course, arrival, reservation, read)
        try:
            settled = settle(course.ledger, ticket, sheet=sheet, now=datetime.now(UTC), submission=submission)
        except GraderError:
            publish_unsettled(course, arrival, sheet)
            raise
    first = _OUTAGE if settled.our_fault else ""
    return publish(course, Graded(arrival.key, ticket.attempt, sheet), first=first)


def _run(course: Course, arrival: Arrival, reservation: Reservation, read: Read) -> tuple[Submission, GradeSheet]:
    """Read and grade; whatever of ours fails gives the attempt back before it is told."""
    assert reservation.ticket is not None
    text = reservation.text
    try:
        course.tell(text)
        body = f"{markdown.words(text)}\n\nGrading is under way …\n"
        post(course, arrival.tag, body=body, labels=("running",))
        submission = read()
        return submission, course.grade(submission, _following(course, arrival.tag, text))
    except BaseException as error:
        problem = (
            f"The grader failed ({type(error).__name__}); the attempt was given back. Submit the same tag again."
        )
        give_back(course.ledger, reservation.ticket, problem=problem, now=datetime.now(UTC))
        course.tell(problem)
        raise


def _following(course: Course, tag: str, text: str) -> Tell:
    """Tell each step, and let the issue follow now and then."""
    if course.assignment.hides_outcomes(Audience.STUDENT):  # the pace would tell of hidden cases
        return lambda _: None
    last = time.monotonic()

    def tell(step: str) -> None:
        nonlocal last
        course.tell(step)
        if time.monotonic() - last >= POST_EVERY_S:
            last = time.monotonic()
            post(course, tag, body=f"{markdown.words(text)}\n\n{markdown.words(step)} …\n", labels=("running",))

    return tell


def _show_same(course: Course, arrival: Arrival, reservation: Reservation) -> int:
    """Show the result of the attempt with the same files."""
    course.tell(reservation.text)
    post(course, arrival.tag, body=f"{markdown.words(reservation.text)}\n", labels=("refused",))
    twin = reservation.attempt
    sheet = kept_sheet(course.ledger, twin.id)
    return publish(course, Graded(arrival.key, twin.id, sheet)) if sheet else REFUSED


def _show_known(course: Course, arrival: Arrival, reservation: Reservation) -> int:
    known = reservation.attempt
    when = moment_text(known.at, course.assignment.regulations)
    if known.state is State.VOIDED:
        course.tell(f"The tag {arrival.tag!r}, received at {when}, was struck out by the staff: {known.text}")
        return REFUSED
    sheet = kept_sheet(course.ledger, known.id)
    text = f"The tag {arrival.tag!r} was received at {when} and graded; this is that result, and it costs nothing."
    if sheet is None:
        if course.assignment.hides_outcomes(Audience.STUDENT):
            course.tell(text)
            return PASSED
        course.tell(f"{text} {number_text(known.points or 0)} of {number_text(known.max_points)} points.")
        return PASSED if known.points == known.max_points else FAILED
    return publish(course, Graded(arrival.key, known.id, sheet), first=text)
