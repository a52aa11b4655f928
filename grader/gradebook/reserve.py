"""Take one push into the ledger: reserve an attempt, or refuse it.

Whatever a crash leaves behind: before the transaction nothing happened; after it the attempt is there with a lease,
which its worker renews. A lease that runs out gives the attempt back; the same tag then starts it anew.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.gradebook.decide import Decision, decide
from grader.gradebook.event import (
    SAME_CONTENT,
    TAG_MOVED,
    UNREADABLE,
    Event,
    Fact,
    Key,
    Received,
    Refused,
    Settled,
    Started,
)
from grader.gradebook.history import Attempt, History, State, by_key, fold, late_days_used, people_in, people_of
from grader.gradebook.ledger import microseconds
from grader.gradebook.messages import OPEN, SPARED, moved_text, same_text, unreadable_text
from grader.gradebook.schema import leases
from grader.gradebook.standing import charge
from grader.model.regulations import Counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from grader.gradebook.ledger import Ledger
    from grader.model.regulations import Regulations

LEASE_S = 120.0
ABANDONED = "The grader stopped before it had finished; the attempt was given back. Submit the same tag again."


class Arrival(msgspec.Struct, frozen=True, kw_only=True):
    """A pushed tag as the server saw it: the commit is the one that came then, wherever the tag points later."""

    key: Key
    student: str
    at: datetime
    received: Received
    content: str = ""
    """Digest of the files, when they were read already."""
    problem: str = ""
    """Why they can't be graded at all."""

    @property
    def tag(self) -> str:
        return self.received.tag


class Outcome(StrEnum):
    """What is to be done with the push."""

    GRADE = "grade"
    REFUSED = "refused"
    KNOWN = "known"
    """The tag was graded before: show that result."""
    SAME = "same"
    """An attempt with the same files was graded before: show that result."""
    BUSY = "busy"
    """Another worker grades this very tag now."""
    OPEN = "open"
    """It is received and waits: what a rule needs isn't known yet."""


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    """The right, and duty, to settle one attempt."""

    attempt: str
    key: Key
    student: str
    worker: str


class Reservation(msgspec.Struct, frozen=True, kw_only=True):
    outcome: Outcome
    attempt: Attempt
    text: str = ""
    ticket: Ticket | None = None


def receive(ledger: Ledger, arrivals: Sequence[Arrival]) -> None:
    """Note pushes as they came, before any of them is graded; what is known already is left alone."""
    for key in dict.fromkeys(arrival.key for arrival in arrivals):
        with ledger.writing(key.party) as connection:
            past = read_history(ledger, connection, key)
            for arrival in arrivals:
                if arrival.key == key and _known(past, arrival) is None:
                    _Desk(ledger=ledger, connection=connection, arrival=arrival, now=arrival.at).receive()


def reserve(
    ledger: Ledger, arrival: Arrival, *, regulations: Regulations, now: datetime, lease_s: float = LEASE_S
) -> Reservation:
    """Decide and write in one transaction; never two at once for one party."""
    with ledger.writing(arrival.key.party) as connection:
        give_back_abandoned(ledger, connection, party=arrival.key.party, now=now)
        desk = _Desk(ledger=ledger, connection=connection, arrival=arrival, now=now)
        people = people_of(arrival.key.party, [(arrival.student, arrival.received)])
        past = read_history(ledger, connection, arrival.key, people)
        known = _known(past, arrival)
        if known is not None and known.received.commit != arrival.received.commit:
            return desk.refuse_moved(known)
        if known is not None and known.state is State.STARTED:
            return Reservation(outcome=Outcome.BUSY, attempt=known, text="This tag is being graded at this moment.")
        if known is not None and known.is_done:
            return Reservation(outcome=Outcome.KNOWN, attempt=known)
        others = past.without(known.id) if known else past
        at = known.at if known else arrival.at  # what waited or our fault spoiled goes on under its first time
        decision = decide(regulations, others.before(at, private=arrival.received.private))
        twin = _twin(regulations, others, arrival, decision)
        spared = decision.accepted and (twin is not None or bool(arrival.problem))
        again = _spared_before(past, arrival) if spared and known is None else None
        if again is not None:
            return Reservation(outcome=_how(twin), attempt=twin or again, text=again.text)
        attempt = known or desk.receive()
        if spared:
            return desk.spare(attempt, twin)
        if decision.is_open:
            return Reservation(outcome=Outcome.OPEN, attempt=attempt, text=OPEN)
        if decision.accepted:
            return desk.start(attempt, decision, lease_s=lease_s)
        return desk.refuse(attempt, Refused(reason=decision.reason, text=decision.text))


def refuse(ledger: Ledger, arrivals: Sequence[Arrival], *, reason: str, text: str) -> None:
    """Note one party's pushes that aren't even put to the regulations."""
    if not arrivals:
        return
    with ledger.writing(arrivals[0].key.party) as connection:
        for arrival in arrivals:
            desk = _Desk(ledger=ledger, connection=connection, arrival=arrival, now=arrival.at)
            desk.write(desk.receive(), Refused(reason=reason, text=text))


def read_history(ledger: Ledger, connection: Connection, key: Key, people: frozenset[str] = frozenset()) -> History:
    """Fold what one party did in one assignment, and the late days that its people used in the others.

    `people` names those who are in it now; the ledger knows who was in it before.
    """
    own = ledger.events(connection, party=key.party, assignment=key.assignment)
    names = people | people_in(key, own) or {key.party}
    used = late_days_used(key.assignment, by_key(ledger.events_about(connection, names)))
    return msgspec.structs.replace(fold(own), late_days_elsewhere=max(used[name] for name in names))


def give_back_abandoned(ledger: Ledger, connection: Connection, *, party: str, now: datetime) -> int:
    """Settle a party's attempts whose lease ran out as our fault; the caller holds the party's lock."""
    ran_out = select(leases).where(leases.c.party == party, leases.c.until_us < microseconds(now))
    rows = connection.execute(ran_out).all()
    for row in rows:
        abandoned = Event(
            at=now,
            key=Key(assignment=row.assignment, party=row.party),
            student=row.student,
            attempt=row.attempt,
            fact=Settled(points=0, max_points=0, problem=ABANDONED, our_fault=True),
        )
        ledger.append(connection, abandoned)
        connection.execute(leases.delete().where(leases.c.attempt == row.attempt))
    return len(rows)


def _twin(regulations: Regulations, past: History, arrival: Arrival, decision: Decision) -> Attempt | None:
    """Find the attempt with the same files whose result stands for this one as well, and costs no more."""
    able = [each for each in charge(regulations, past) if each.attempt.counts and each.is_whole]
    if regulations.counts is Counts.LAST:
        able = able[-1:]  # to come back to earlier files is a choice
    alike = (each for each in able if arrival.content and each.attempt.content == arrival.content)
    return next((each.attempt for each in alike if each.cost_percent <= decision.cost_percent), None)


def _spared_before(past: History, arrival: Arrival) -> Attempt | None:
    """Find the same push, which was told before that it uses no attempt."""
    whose = (arrival.student, arrival.tag, arrival.received.commit)
    told = (each for each in past.attempts if each.text.startswith(SPARED))
    return next((each for each in told if (each.student, each.tag, each.received.commit) == whose), None)


def _how(twin: Attempt | None) -> Outcome:
    return Outcome.SAME if twin else Outcome.REFUSED


def _known(past: History, arrival: Arrival) -> Attempt | None:
    same = [each for each in past.attempts if (each.student, each.tag) == (arrival.student, arrival.tag)]
    return next((each for each in reversed(same) if each.state is not State.REFUSED), None)


@dataclass(frozen=True, kw_only=True)
class _Desk:
    """One push before the open ledger."""

    ledger: Ledger
    connection: Connection
    arrival: Arrival
    now: datetime

    def receive(self) -> Attempt:
        arrival = self.arrival
        name = uuid.uuid4().hex
        attempt = Attempt(id=name, student=arrival.student, at=arrival.at, received=arrival.received)
        self.write(attempt, arrival.received, at=arrival.at)
        return attempt

    def refuse_moved(self, known: Attempt) -> Reservation:
        text = moved_text(self.arrival.tag, first=known.received.commit, found=self.arrival.received.commit)
        return self.refuse(self.receive(), Refused(reason=TAG_MOVED, text=text))

    def refuse(self, attempt: Attempt, fact: Refused) -> Reservation:
        self.write(attempt, fact)
        return Reservation(outcome=Outcome.REFUSED, attempt=attempt, text=fact.text)

    def spare(self, attempt: Attempt, twin: Attempt | None) -> Reservation:
        """Note a push that uses no attempt: its files are those of another, or can't be graded at all."""
        if twin is None:
            return self.refuse(attempt, Refused(reason=UNREADABLE, text=unreadable_text(self.arrival.problem)))
        text = same_text(twin.tag)
        self.write(attempt, Refused(reason=SAME_CONTENT, text=text))
        return Reservation(outcome=Outcome.SAME, attempt=twin, text=text)

    def start(self, attempt: Attempt, decision: Decision, *, lease_s: float) -> Reservation:
        ticket = Ticket(
            attempt=attempt.id, key=self.arrival.key, student=self.arrival.student, worker=uuid.uuid4().hex
        )
        started = Started(
            worker=ticket.worker,
            number=decision.number,
            cost_percent=decision.cost_percent,
            late_days=decision.late_days,
            content=self.arrival.content,
        )
        self.write(attempt, started)
        self.lease(ticket, until=self.now + timedelta(seconds=lease_s))
        return Reservation(outcome=Outcome.GRADE, attempt=attempt, text=decision.text, ticket=ticket)

    def lease(self, ticket: Ticket, *, until: datetime) -> None:
        self.connection.execute(
            leases.insert().values(
                attempt=ticket.attempt,
                assignment=ticket.key.assignment,
                party=ticket.key.party,
                student=ticket.student,
                worker=ticket.worker,
                until_us=microseconds(until),
            )
        )

    def write(self, attempt: Attempt, fact: Fact, *, at: datetime | None = None) -> None:
        key, student = self.arrival.key, self.arrival.student
        entry = Event(at=at or self.now, key=key, student=student, attempt=attempt.id, fact=fact)
        self.ledger.append(self.connection, entry)
