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
    Received,
    Refused,
    Regraded,
    Settled,
    Started,
    Voided,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


class State(StrEnum):
    """Where an attempt stands."""

    RECEIVED = "received"
    REFUSED = "refused"
    STARTED = "started"
    SETTLED = "settled"
    REFUNDED = "refunded"
    VOIDED = "voided"


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """One push, from its receipt to what became of it."""

    id: str
    student: str
    tag: str
    commit: str
    at: datetime
    state: State = State.RECEIVED
    private: bool | None = None
    quoted_percent: float | None = None
    """What the attempt was said to cost when it was taken."""
    late_days: int = 0
    points: float | None = None
    max_points: float = 0.0
    verdicts: dict[str, int] = {}
    text: str = ""
    """Why it was refused, voided or went wrong."""

    @property
    def takes_quota(self) -> bool:
        return self.state in {State.RECEIVED, State.STARTED, State.SETTLED}

    @property
    def counts(self) -> bool:
        """Tell whether its points may become the grade; a regraded attempt counts though it was given back."""
        return self.points is not None and self.state in {State.SETTLED, State.REFUNDED}


class Extension(msgspec.Struct, frozen=True, kw_only=True):
    due: datetime | None = None
    attempts: int = 0
    why: str = ""


class History(msgspec.Struct, frozen=True, kw_only=True):
    """All that one party did in one assignment, oldest receipt first."""

    attempts: tuple[Attempt, ...] = ()
    extensions: tuple[Extension, ...] = ()
    late_days_elsewhere: int = 0
    """Free late days that the party used in other assignments."""

    def without(self, attempt: str) -> History:
        """Give the history as if this attempt had never come."""
        kept = tuple(each for each in self.attempts if each.id != attempt)
        return msgspec.structs.replace(self, attempts=kept)

    def find(self, attempt: str) -> Attempt | None:
        return next((each for each in self.attempts if each.id == attempt), None)


def fold(events: Iterable[Event], *, late_days_elsewhere: int = 0) -> History:
    """Read one party's events of one assignment, in the ledger's order."""
    attempts: dict[str, Attempt] = {}
    extensions: list[Extension] = []
    for event in events:
        fact = event.fact
        if isinstance(fact, Extended):
            extensions.append(Extension(due=fact.due, attempts=fact.attempts, why=fact.why))
        elif isinstance(fact, Received):
            attempts[event.attempt] = _born(event, fact)
        elif event.attempt in attempts:
            attempts[event.attempt] = _after(attempts[event.attempt], fact)
    ordered = tuple(
        sorted(attempts.values(), key=lambda each: each.at)
    )  # stable: equal moments keep the ledger's order
    return History(attempts=ordered, extensions=tuple(extensions), late_days_elsewhere=late_days_elsewhere)


def _born(event: Event, fact: Received) -> Attempt:
    return Attempt(
        id=event.attempt,
        student=event.student,
        tag=fact.tag,
        commit=fact.commit,
        at=event.at,
        private=fact.private,
    )


def _after(attempt: Attempt, fact: Fact) -> Attempt:
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
        case Settled(our_fault=True):
            return {
                "state": State.REFUNDED,
                "points": None,
                "max_points": fact.max_points,
                "verdicts": fact.verdicts,
                "text": fact.problem,
            }
        case Settled() | Regraded():
            state = State.REFUNDED if attempt.state is State.REFUNDED else State.SETTLED
            return {
                "state": state,
                "points": fact.points,
                "max_points": fact.max_points,
                "verdicts": fact.verdicts,
                "text": fact.problem,
            }
        case Voided():
            return {"state": State.VOIDED, "text": fact.why}
        case _:
            return {}
