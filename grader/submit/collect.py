"""Take hand-ins that no tag brought: uploads, what staff hand in, a repository's state at the due second."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.gradebook.decide import decide
from grader.gradebook.event import Key, Received, Via
from grader.gradebook.history import History, State, attempts_of, people_of
from grader.gradebook.reserve import Arrival, read_history
from grader.submit.attempt import attempt
from grader.submit.course import OUR_FAULT, REFUSED
from grader.submit.publish import publish_missing
from grader.submit.push import log

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.gradebook.decide import Decision
    from grader.gradebook.history import Attempt
    from grader.model.submission import Submission
    from grader.submit.course import Course


class Brought(NamedTuple):
    """One student's hand-in, as it reached the staff."""

    student: str
    at: datetime
    """When the platform, the server or the staff received it."""
    via: Via
    origin: str
    """Where it lay, for people."""
    read: Callable[[], Submission]
    upload: str = ""
    by: str = ""
    why: str = ""
    commit: str = ""
    """Of a snapshot; empty for files alone."""
    private: bool = True


class Taken(NamedTuple):
    """What became of a hand-in, or would."""

    brought: Brought
    tag: str
    said: str
    status: int = 0


class Collector:
    """Enters hand-ins into an open course, one after the other; or only says what would become of them."""

    def __init__(self, course: Course, *, is_dry: bool = False) -> None:
        self.course = course
        self.is_dry = is_dry
        self._planned: dict[str, list[datetime]] = {}
        """Of a dry run: what parties would have used by now."""

    def take(self, brought: Brought) -> Taken:
        """Enter one hand-in; what is in the book already is left as it is, and whatever fails is its own trouble."""
        try:
            submission = brought.read()
            arrival, known = self._arrival(brought, submission)
            if known is not None and known.is_done and known.state not in {State.REFUSED, State.STARTED}:
                self._publish_missing(arrival, known)
                return Taken(brought, known.tag, f"collected before{_other_time(brought, known)}: {_result(known)}")
            if self.is_dry or (known is not None and known.state is State.REFUSED):
                decision = self._decide(arrival, without=known)
                if self.is_dry or not decision.accepted:
                    return Taken(brought, arrival.tag, decision.text, 0 if decision.accepted else REFUSED)
            status = attempt(self.course, arrival, lambda: submission)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the next student has a turn
            log(self.course.out)
            return Taken(brought, "", f"not taken: {error}", OUR_FAULT)
        return Taken(brought, arrival.tag, self._became(arrival), status)

    def _arrival(self, brought: Brought, submission: Submission) -> tuple[Arrival, Attempt | None]:
        """Return it as the book takes it; the same content again is the same attempt, unless another lies between."""
        course = self.course
        commit = brought.commit or _digest(submission)
        own = attempts_of(course.ledger, course.assignment.name, brought.student)
        same = _same(own, commit, brought)
        party = same[0].party if same else course.roster.party(brought.student)
        at = same[1].at if same else min(brought.at, datetime.now(UTC))
        name = blake2b(f"{commit} {at.isoformat()}".encode(), digest_size=4).hexdigest()
        tag = same[1].tag if same else f"{brought.via}-{name}"
        received = Received(
            tag=tag,
            commit=commit,
            origin=brought.origin,
            private=brought.private,
            members=course.roster.members(party),
            reports=str(course.report_folder(brought.student, tag).absolute()),
            via=brought.via,
            upload=brought.upload,
            by=brought.by,
            why=brought.why,
        )
        key = Key(assignment=course.assignment.name, party=party)
        return Arrival(key=key, student=brought.student, at=at, received=received), same[1] if same else None

    def _publish_missing(self, arrival: Arrival, known: Attempt) -> None:
        """Write the report of an attempt whose collector was killed once it was in the book."""
        if not self.is_dry:
            publish_missing(self.course, [(arrival.key, known)])

    def _decide(self, arrival: Arrival, *, without: Attempt | None) -> Decision:
        with self.course.ledger.reading() as connection:
            people = people_of(arrival.key.party, [(arrival.student, arrival.received)])
            past = read_history(self.course.ledger, connection, arrival.key, people)
        past = past.without(without.id) if without else past
        push = past.before(arrival.at, private=arrival.received.private)
        more = self._planned.setdefault(arrival.key.party, [])
        push = msgspec.structs.replace(
            push, number=push.number + len(more), times=tuple(sorted((*push.times, *more)))
        )
        decision = decide(self.course.assignment.regulations, push)
        if decision.accepted:
            more.append(arrival.at)
        return decision

    def _became(self, arrival: Arrival) -> str:
        """Say how it stands in the book."""
        own = attempts_of(self.course.ledger, arrival.key.assignment, arrival.student)
        found = [each for _, each in own if each.tag == arrival.tag]
        return _result(found[-1]) if found else "not in the book"


def has_handed_in(course: Course, student: str) -> str:
    """Return the tag of an attempt that already takes quota for this student's party; empty without one."""
    key = Key(assignment=course.assignment.name, party=course.roster.party(student))
    with course.ledger.reading() as connection:
        past: History = read_history(course.ledger, connection, key)
    return next(
        (each.tag for each in past.attempts if each.takes_quota and each.received.via is not Via.SNAPSHOT), ""
    )


def _same(own: list[tuple[Key, Attempt]], commit: str, brought: Brought) -> tuple[Key, Attempt] | None:
    alike = sorted((pair for pair in own if pair[1].received.via is brought.via), key=lambda pair: pair[1].at)
    equal = [pair for pair in alike if pair[1].received.commit == commit]
    if not equal:
        return None
    last = alike[-1][1]
    return equal[-1] if last.received.commit == commit or brought.at <= last.at else None


def _digest(submission: Submission) -> str:
    return blake2b(msgspec.msgpack.encode((submission.files, submission.problem)), digest_size=20).hexdigest()


def _other_time(brought: Brought, known: Attempt) -> str:
    return (
        ""
        if brought.at == known.at or brought.via is Via.STAFF
        else f", and keeps its first time {known.at.isoformat()}"
    )


def _result(attempt: Attempt) -> str:
    if attempt.points is None:
        return f"{attempt.state}: {attempt.text}" if attempt.text else str(attempt.state)
    cost = f", {attempt.quoted_percent:g}% off" if attempt.quoted_percent else ""
    return f"{attempt.points:g}/{attempt.max_points:g}{cost}"
