"""Fold a ledger's events into attempts as they are now, party by party."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from grader.gradebook import schema
from grader.gradebook.event import (
    EVERYBODY,
    Adjusted,
    Event,
    Extended,
    Fact,
    HandedBack,
    Key,
    Posted,
    Received,
    Refused,
    Regraded,
    Settled,
    Started,
    Voided,
    Withdrawn,
)
from grader.gradebook.regulations.rule import Situation
from grader.model.moments import LATEST
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from grader.gradebook.ledger import Ledger


class State(StrEnum):
    """Where an attempt stands."""

    RECEIVED = "received"
    """It came, and isn't decided on yet."""
    REFUSED = "refused"
    STARTED = "started"
    SETTLED = "settled"
    REFUNDED = "refunded"
    VOIDED = "voided"


class StaffChange(msgspec.Struct, frozen=True, kw_only=True):
    """What staff changed about an attempt, in the words that its student reads."""

    what: str
    points: str = ""
    why: str

    def text(self, *, is_silent: bool) -> str:
        """Say it; silent where a sum would tell of hidden cases."""
        said = f"{self.what}{'' if is_silent else self.points}"
        return f"{said}: {self.why}" if self.why else f"{said}."


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """A person's judgement that holds now."""

    number: int
    """Of its event, by which it is withdrawn."""
    fact: Adjusted


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One push, from its receipt to what became of it."""

    id: str
    student: str
    at: datetime
    received: Received
    state: State = State.RECEIVED
    quoted_percent: float | None = None
    """What the attempt was said to cost when it was taken."""
    late_days: int = 0
    content: str = ""
    """Digest of its files, by which equal ones are known."""
    points: float | None = None
    max_points: float = 0.0
    verdicts: dict[str, int] = {}
    text: str = ""
    """Why it was refused, voided or went wrong."""
    changes: tuple[StaffChange, ...] = ()
    """What staff changed about it, with the reasons."""
    adjustments: tuple[Adjustment, ...] = ()
    """What people judge about it, one for each place."""
    posted: int | None = None
    """How many of the changes its issue tells; None before there is one."""
    handed_back: int | None = None
    """How many of the changes its last feedback page tells; None before there is one."""

    @property
    def tag(self) -> str:
        return self.received.tag

    @property
    def people_points(self) -> float:
        """What people gave and took, all in all."""
        return sum(each.fact.points for each in self.adjustments)

    @property
    def takes_quota(self) -> bool:
        return self.state in {State.STARTED, State.SETTLED}

    @property
    def is_done(self) -> bool:
        """Tell whether nothing is left to grade: neither waiting nor spoiled by a fault of ours."""
        return self.state is not State.RECEIVED and (self.state is not State.REFUNDED or self.points is not None)

    @property
    def is_untold(self) -> bool:
        """Tell whether its issue lacks the result, or something that the staff changed about it."""
        is_told = self.posted is not None and self.posted >= len(self.changes)
        return bool(self.received.host) and self.points is not None and self.is_done and not is_told

    @property
    def counts(self) -> bool:
        """Tell whether its points may become the grade; a regraded attempt counts though it was given back."""
        return self.points is not None and self.state in {State.SETTLED, State.REFUNDED}


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All that one party did in one assignment, oldest receipt first."""

    attempts: tuple[Attempt, ...] = ()
    extensions: tuple[Extended, ...] = ()
    extension_numbers: tuple[int, ...] = ()
    """Of their events, by which they are withdrawn."""
    late_days_elsewhere: int = 0
    """Free late days that the party used in other assignments."""

    @property
    def late_days(self) -> int:
        """Return the free late days that it used here."""
        return max((each.late_days for each in self.attempts if each.takes_quota), default=0)

    def without(self, attempt: str) -> History:
        """Return the history as if this attempt had never come."""
        kept = tuple(each for each in self.attempts if each.id != attempt)
        return msgspec.structs.replace(self, attempts=kept)

    def before(self, at: datetime, *, private: bool | None = None) -> Situation:
        """Return what a push at this moment meets."""
        times = tuple(each.at for each in self.attempts if each.takes_quota)
        return Situation(
            at=at,
            private=private,
            number=len(times) + 1,
            times=times,
            extended_due=max((each.due for each in self.extensions if each.due is not None), default=None),
            more_attempts=sum(max(0, each.attempts) for each in self.extensions),
            late_days_elsewhere=self.late_days_elsewhere,
        )


def people_of(party: str, received: Iterable[tuple[str, Received]]) -> frozenset[str]:
    """Return who was in a party when its tags came, as far as the ledger knows: of each the pusher and the fact."""
    facts = list(received)
    members = {name for _, fact in facts for name in fact.members}
    pushers = {student for student, _ in facts}
    return frozenset(members | (pushers - {party} if members else pushers))


def people_in(key: Key, events: Iterable[Event]) -> frozenset[str]:
    """Return whom one party's events of one assignment are about."""
    return people_of(key.party, ((each.student, each.fact) for each in events if isinstance(each.fact, Received)))


def by_key(events: Iterable[Event]) -> dict[Key, list[Event]]:
    """Sort events by party and assignment, in the ledger's order."""
    found: dict[Key, list[Event]] = {}
    for event in events:
        found.setdefault(event.key, []).append(event)
    return found


def late_days_used(assignment: str, book: Mapping[Key, Iterable[Event]]) -> Counter[str]:
    """Return the free late days that each person has used in other assignments, in whatever group.

    A group has as many left as the one of them who has used most.
    """
    used: Counter[str] = Counter()
    for key, events in book.items():
        days = 0 if key.assignment == assignment else fold(events).late_days
        used.update(dict.fromkeys(people_in(key, events), days))
    return used


def fold(events: Iterable[Event]) -> History:
    """Read one party's events of one assignment, in the ledger's order."""
    attempts: dict[str, Attempt] = {}
    extensions: dict[int, Extended] = {}
    for event in events:
        fact = event.fact
        if isinstance(fact, Extended):
            due = fact.due and min(fact.due, LATEST)  # a date beyond it can't be told in every zone
            extensions[event.number] = msgspec.structs.replace(fact, due=due)
            attempts = {name: _extended(attempt, fact) for name, attempt in attempts.items()}
        elif isinstance(fact, Withdrawn):
            extensions.pop(fact.event, None)
            attempts = {name: _withdrawn(attempt, fact) for name, attempt in attempts.items()}
        elif isinstance(fact, Adjusted):
            if event.attempt in attempts:
                attempts[event.attempt] = _adjusted(attempts[event.attempt], fact, event.number)
        elif isinstance(fact, Received):
            attempts[event.attempt] = Attempt(id=event.attempt, student=event.student, at=event.at, received=fact)
        elif event.attempt in attempts:
            attempts[event.attempt] = _after(attempts[event.attempt], fact)
    ordered = sorted(attempts.values(), key=lambda each: each.at)  # stable: equal moments keep the ledger's order
    return History(
        attempts=tuple(ordered), extensions=tuple(extensions.values()), extension_numbers=tuple(extensions)
    )


def _after(attempt: Attempt, fact: Fact) -> Attempt:
    if isinstance(fact, Posted):
        return msgspec.structs.replace(attempt, posted=fact.changes)
    if isinstance(fact, HandedBack):
        return msgspec.structs.replace(attempt, handed_back=fact.changes)
    if attempt.state is State.VOIDED:
        return attempt
    return msgspec.structs.replace(attempt, **_change(attempt, fact))


def _change(attempt: Attempt, fact: Fact) -> dict[str, object]:
    match fact:
        case Refused():
            return {"state": State.REFUSED, "text": fact.text}
        case Started():
            return {
                "state": State.STARTED,
                "quoted_percent": fact.cost_percent,
                "late_days": fact.late_days,
                "content": fact.content,
                "text": "",
            }
        case Settled() | Regraded():
            is_ours = isinstance(fact, Settled) and fact.our_fault
            is_refunded = is_ours or attempt.state is State.REFUNDED
            return {
                "state": State.REFUNDED if is_refunded else State.SETTLED,
                "points": None if is_ours else fact.points,
                "max_points": fact.max_points,
                "verdicts": fact.verdicts,
                "text": fact.problem,
                "changes": (*attempt.changes, *_regraded(attempt, fact)),
            }
        case Voided():
            struck = StaffChange(what="Struck out by the staff, so that it neither costs nor counts", why=fact.why)
            return {"state": State.VOIDED, "text": fact.why, "changes": (*attempt.changes, struck)}
        case _:
            return {}


def _extended(attempt: Attempt, fact: Extended) -> Attempt:
    """Let an attempt that costs something tell of the extension, which may have lowered that."""
    if not attempt.quoted_percent or attempt.state is State.VOIDED:
        return attempt
    given = StaffChange(what="The staff gave more time or attempts", why=fact.why)
    return msgspec.structs.replace(attempt, changes=(*attempt.changes, given))


def _adjusted(attempt: Attempt, fact: Adjusted, number: int) -> Attempt:
    """Put a person's judgement in its place, where it replaces an earlier one."""
    others = tuple(each for each in attempt.adjustments if each.fact.place != fact.place)
    after = msgspec.structs.replace(attempt, adjustments=(*others, Adjustment(number=number, fact=fact)))
    words = "commented on" if not fact.points else f"{_amount(fact.points)} for"
    change = StaffChange(what=f"The staff {words} {fact.about}", points=_moved(attempt, after), why=fact.why)
    return msgspec.structs.replace(after, changes=(*attempt.changes, change))


def _withdrawn(attempt: Attempt, fact: Withdrawn) -> Attempt:
    """Take a person's judgement back; an extension that is taken back changes no attempt's quoted cost."""
    gone = [each.fact for each in attempt.adjustments if each.number == fact.event]
    if not gone:
        return attempt
    kept = tuple(each for each in attempt.adjustments if each.number != fact.event)
    after = msgspec.structs.replace(attempt, adjustments=kept)
    what = f"The staff withdrew what they said of {gone[0].about}"
    change = StaffChange(what=what, points=_moved(attempt, after), why=fact.why)
    return msgspec.structs.replace(after, changes=(*attempt.changes, change))


def _amount(points: float) -> str:
    return f"gave {plural(points, 'point')}" if points > 0 else f"took {plural(-points, 'point')} off"


def _moved(before: Attempt, after: Attempt) -> str:
    """Say from where to where the sum of machine and people goes, before any cost."""
    if before.people_points == after.people_points or before.points is None:
        return ""
    start, end = (max(0.0, before.points + each.people_points) for each in (before, after))
    return f", {number_text(start)} → {number_text(end)} points"


def _regraded(attempt: Attempt, fact: Settled | Regraded) -> tuple[StaffChange, ...]:
    if not isinstance(fact, Regraded):
        return ()
    before = "no points" if attempt.points is None else number_text(attempt.points)
    points = f", {before} → {number_text(fact.points)} points"
    return (StaffChange(what="Regraded by the staff", points=points, why=fact.why),)


def histories(ledger: Ledger, assignment: str) -> dict[str, History]:
    """Return every party's history in this assignment, by the party's name, from a book that was looked through."""
    with ledger.reading() as connection:
        ledger.check(connection)
        events = ledger.events(connection)
    found = by_key(events)
    used = late_days_used(assignment, found)
    own = sorted((key.party, key) for key in found if key.assignment == assignment)
    return {party: _history(key, found[key], used) for party, key in own}


def _history(key: Key, events: list[Event], used: Counter[str]) -> History:
    elsewhere = max((used[name] for name in people_in(key, events)), default=0)
    return msgspec.structs.replace(fold(events), late_days_elsewhere=elsewhere)


def find_attempt(past: dict[str, History], student: str, tag: str) -> tuple[str, Attempt] | None:
    """Return the party and the latest attempt of a student's tag that wasn't refused, or else the latest at all."""
    found = [
        (party, each)
        for party, history in past.items()
        for each in history.attempts
        if (each.student, each.tag) == (student, tag)
    ]
    taken = [pair for pair in found if pair[1].state != "refused"] or found
    return taken[-1] if taken else None


def attempts_of(ledger: Ledger, assignment: str, student: str) -> list[tuple[Key, Attempt]]:
    """Return what came from a student's repository, under whichever party it came."""
    with ledger.reading() as connection:
        events = ledger.events(connection, assignment=assignment, student=student)
    keys = dict.fromkeys(event.key for event in events)
    return [(key, each) for key in keys for each in fold(event for event in events if event.key == key).attempts]


def received_elsewhere(ledger: Ledger, assignment: str, student: str) -> list[Received]:
    """Return what came from a student's repositories for other assignments."""
    with ledger.reading() as connection:
        events = ledger.events(connection, student=student)
    return [each.fact for each in events if isinstance(each.fact, Received) and each.key.assignment != assignment]


def party_of(ledger: Ledger, assignment: str, *, student: str, tag: str) -> str | None:
    """Return under whose quota this tag came first, whatever the class list says by now."""
    with ledger.reading() as connection:
        events = ledger.events(connection, assignment=assignment, student=student)
    tags = (each for each in events if isinstance(each.fact, Received) and each.fact.tag == tag)
    return next((each.key.party for each in tags), None)


def assignments(ledger: Ledger) -> set[str]:
    """Return the assignments of which the book has events."""
    with ledger.reading() as connection:
        return {*connection.scalars(select(schema.events.c.assignment).distinct())} - {EVERYBODY}


def known_names(ledger: Ledger) -> set[str]:
    """Return every student, member and party that the book speaks of."""
    with ledger.reading() as connection:
        events = ledger.events(connection)
    names = {name for each in events for name in (each.student, each.key.party)}
    members = {name for each in events if isinstance(each.fact, Received) for name in each.fact.members}
    return (names | members) - {EVERYBODY}
