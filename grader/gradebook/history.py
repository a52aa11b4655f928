"""Fold a ledger's events into attempts as they stand now."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.event import (
    Event,
    Extended,
    Fact,
    Posted,
    Received,
    Refused,
    Regraded,
    Settled,
    Started,
    Voided,
)
from grader.gradebook.regulations.rule import Situation
from grader.model.moments import LATEST

if TYPE_CHECKING:
    from collections.abc import Iterable


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
        return f"{self.what}{'' if is_silent else self.points}: {self.why}"


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
    points: float | None = None
    max_points: float = 0.0
    verdicts: dict[str, int] = {}
    text: str = ""
    """Why it was refused, voided or went wrong."""
    changes: tuple[StaffChange, ...] = ()
    """What staff changed about it, with the reasons."""
    posted: int | None = None
    """How many of the changes its issue tells; None before there is one."""

    @property
    def tag(self) -> str:
        return self.received.tag

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


def history_in(assignment: str, events: Iterable[Event]) -> History:
    """Read one party's events: what it did in the assignment, and the late days that it used in the others."""
    by_assignment: dict[str, list[Event]] = {assignment: []}
    for event in events:
        by_assignment.setdefault(event.key.assignment, []).append(event)
    elsewhere = sum(fold(own).late_days for name, own in by_assignment.items() if name != assignment)
    return msgspec.structs.replace(fold(by_assignment[assignment]), late_days_elsewhere=elsewhere)


def fold(events: Iterable[Event]) -> History:
    """Read one party's events of one assignment, in the ledger's order."""
    attempts: dict[str, Attempt] = {}
    extensions: list[Extended] = []
    for event in events:
        fact = event.fact
        if isinstance(fact, Extended):
            due = fact.due and min(fact.due, LATEST)  # a date beyond it can't be told in every zone
            extensions.append(msgspec.structs.replace(fact, due=due))
            attempts = {name: _extended(attempt, fact) for name, attempt in attempts.items()}
        elif isinstance(fact, Received):
            attempts[event.attempt] = Attempt(id=event.attempt, student=event.student, at=event.at, received=fact)
        elif event.attempt in attempts:
            attempts[event.attempt] = _after(attempts[event.attempt], fact)
    ordered = sorted(attempts.values(), key=lambda each: each.at)  # stable: equal moments keep the ledger's order
    return History(attempts=tuple(ordered), extensions=tuple(extensions))


def _after(attempt: Attempt, fact: Fact) -> Attempt:
    if isinstance(fact, Posted):
        return msgspec.structs.replace(attempt, posted=fact.changes)
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


def _regraded(attempt: Attempt, fact: Settled | Regraded) -> tuple[StaffChange, ...]:
    if not isinstance(fact, Regraded):
        return ()
    before = "no points" if attempt.points is None else f"{attempt.points:g}"
    points = f", {before} → {fact.points:g} points"
    return (StaffChange(what="Regraded by the staff", points=points, why=fact.why),)
