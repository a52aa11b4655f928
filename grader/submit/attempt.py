"""Take one pushed tag from receipt to report: reserve, grade, settle, tell."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from grader.errors import GraderError
from grader.forge.tree import LARGEST_POINTER, Blob, TooMuchError, Unfit, blob_reader, lfs_reason, list_files
from grader.gradebook.contents import kept_sheet
from grader.gradebook.history import State
from grader.gradebook.messages import moment_text
from grader.gradebook.regulations.rule import number_text
from grader.gradebook.reserve import LEASE_S, Arrival, Outcome, Reservation, reserve
from grader.gradebook.settle import give_back, renewing, settle
from grader.intake.choose_files import select
from grader.intake.offered import MOST_FILES, Offered, Refused
from grader.model.submission import Submission
from grader.model.verdict import Audience
from grader.report import markdown
from grader.submit.course import FAILED, OUR_FAULT, PASSED, REFUSED, Course, Tell
from grader.submit.publish import Graded, post, publish, publish_unsettled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.forge.git import Repository
    from grader.model.assignment import Assignment
    from grader.model.result import GradeSheet

_POLL_S = 1.0
POST_EVERY_S = 15.0
"""How often the issue follows the grading, at most."""
_OUTAGE = "The grader itself failed on a case: this attempt is given back. Submit the same tag again later."


def attempt(course: Course, repository: Repository, arrival: Arrival) -> int:
    """Do all that one tag asks for, and return the exit status."""
    reservation = _reserve(course, arrival)
    if reservation.ticket is not None:
        return _grade(course, repository, arrival=arrival, reservation=reservation)
    if reservation.outcome is Outcome.KNOWN:
        return _show_known(course, arrival, reservation)
    course.tell(reservation.text)
    is_open = reservation.outcome is Outcome.OPEN
    post(
        course,
        arrival.tag,
        body=f"{markdown.words(reservation.text)}\n",
        labels=("running" if is_open else "refused",),
    )
    return OUR_FAULT if is_open else REFUSED


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


def _grade(course: Course, repository: Repository, *, arrival: Arrival, reservation: Reservation) -> int:
    assert reservation.ticket is not None
    ticket = reservation.ticket
    with renewing(course.ledger, ticket):
        submission, sheet = _run(course, repository, arrival=arrival, reservation=reservation)
        try:
            settled = settle(course.ledger, ticket, sheet=sheet, now=datetime.now(UTC), submission=submission)
        except GraderError:
            publish_unsettled(course, arrival, sheet)
            raise
    first = _OUTAGE if settled.our_fault else ""
    return publish(course, Graded(arrival.key, ticket.attempt, sheet), first=first)


def _run(
    course: Course, repository: Repository, *, arrival: Arrival, reservation: Reservation
) -> tuple[Submission, GradeSheet]:
    """Read and grade; whatever of ours fails gives the attempt back before it is told."""
    assert reservation.ticket is not None
    text = reservation.text
    try:
        course.tell(text)
        body = f"{markdown.words(text)}\n\nGrading is under way …\n"
        post(course, arrival.tag, body=body, labels=("running",))
        commit = arrival.received.commit
        submission = _read_tagged(repository, commit, student=arrival.student, assignment=course.assignment)
        return submission, course.grade(submission, _following(course, arrival.tag, text))
    except BaseException as error:
        problem = (
            f"The grader failed ({type(error).__name__}); the attempt was given back. Submit the same tag again."
        )
        give_back(course.ledger, reservation.ticket, problem=problem, now=datetime.now(UTC))
        course.tell(problem)
        raise


def _read_tagged(repository: Repository, commit: str, *, student: str, assignment: Assignment) -> Submission:
    """Read what the assignment asks for; what the student got wrong becomes notes and a problem."""
    origin = f"{repository.path}@{commit}"
    try:
        listed = list(list_files(repository, commit))
    except TooMuchError as error:
        return Submission(id=student, files=(), problem=str(error), origin=origin)
    with blob_reader(repository) as read:
        return select(student, _offered(listed, read), assignment, origin=origin)


def _offered(listed: Iterable[Blob | Unfit], read: Callable[[Blob, int], bytes]) -> Iterator[Offered | Refused]:
    looked_into = 0
    for item in listed:
        if isinstance(item, Unfit):
            yield Refused(item.path, item.reason)
            continue
        reason = ""
        if item.size <= LARGEST_POINTER and looked_into < MOST_FILES:
            looked_into += 1
            reason = lfs_reason(read(item, LARGEST_POINTER))
        yield Refused(item.path, reason) if reason else Offered(item.path, item.size, partial(read, item))


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
