"""Decide on one push: a pure function of regulations, history and moment."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from grader.gradebook import pace
from grader.gradebook.event import Refusal
from grader.gradebook.terms import Lateness, Terms, terms
from grader.gradebook.words import accepted_text, refused_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.gradebook.history import History
    from grader.model.regulations import Regulations


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """What the server knows about a push."""

    at: datetime
    private: bool | None = None
    """Whether the repository is private; None when nobody could tell."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a push is graded, and at what cost."""

    accepted: bool
    reason: Refusal | None = None
    text: str = ""
    number: int
    """Which attempt it is, from 1; for a refused push, which it would have been."""
    cost_percent: float = 0.0
    """Taken off this attempt's points: `late_percent` and `extra_percent` together, at most 100."""
    late_percent: float = 0.0
    extra_percent: float = 0.0
    late_days: int = 0
    remaining: int | None = None
    """Attempts left after this one that cost nothing extra; None without a quota."""
    room: int | None = None
    """Attempts left after this one that could come at this very moment; None without a limit."""
    next_allowed: datetime | None = None
    """For a refused push: when it would be accepted, if waiting helps."""


def decide(regulations: Regulations, history: History, push: Push) -> Decision:
    """Say whether this push is graded; the caller holds the ledger's lock between this and the next event."""
    own = terms(regulations, history)
    times = [each.at for each in history.attempts if each.takes_quota]
    number = len(times) + 1
    reason = _refusal(regulations, own, times, push)
    if reason is not None:
        return _refused(regulations, own, times, push=push, reason=reason)
    late = own.lateness(push.at) or Lateness()
    extra = extra_percent(regulations, own, number)
    decision = Decision(
        accepted=True,
        number=number,
        cost_percent=min(100.0, late.percent + extra),
        late_percent=late.percent,
        extra_percent=extra,
        late_days=late.days,
        remaining=None if own.attempts is None else max(0, own.attempts - number),
        room=_room(regulations, own, times, push.at),
    )
    return msgspec.structs.replace(decision, text=accepted_text(regulations, own, decision))


def extra_percent(regulations: Regulations, own: Terms, number: int) -> float:
    """Give what an attempt of this number costs for coming after the quota."""
    if own.attempts is None or regulations.extra_percent is None:
        return 0.0
    return min(100.0, regulations.extra_percent * max(0, number - own.attempts))


def _refusal(regulations: Regulations, own: Terms, times: Sequence[datetime], push: Push) -> Refusal | None:
    if regulations.private_repository and push.private is not True:
        return Refusal.NOT_PRIVATE
    if own.lateness(push.at) is None:
        return Refusal.LATE
    if own.attempts is not None and regulations.extra_percent is None and len(times) >= own.attempts:
        return Refusal.ATTEMPTS
    if regulations.window and pace.window_room(regulations.window, times, push.at) < 1:
        return Refusal.WINDOW
    if regulations.accrual and not pace.bucket_allows(regulations.accrual, times, push.at):
        return Refusal.ACCRUAL
    return None


def _refused(
    regulations: Regulations, own: Terms, times: Sequence[datetime], *, push: Push, reason: Refusal
) -> Decision:
    decision = Decision(
        accepted=False,
        reason=reason,
        number=len(times) + 1,
        remaining=None if own.attempts is None else max(0, own.attempts - len(times)),
        room=0,
        next_allowed=_next_allowed(regulations, own, times, push),
    )
    return msgspec.structs.replace(decision, text=refused_text(regulations, own, decision))


def _next_allowed(regulations: Regulations, own: Terms, times: Sequence[datetime], push: Push) -> datetime | None:
    candidates = pace.window_opens(regulations.window, times) if regulations.window else []
    candidates += pace.bucket_opens(regulations.accrual, times) if regulations.accrual else []
    for moment in sorted(each for each in candidates if each > push.at):
        if _refusal(regulations, own, times, msgspec.structs.replace(push, at=moment)) is None:
            return moment
    return None


def _room(regulations: Regulations, own: Terms, times: Sequence[datetime], at: datetime) -> int | None:
    rooms = []
    if own.attempts is not None and regulations.extra_percent is None:
        rooms.append(own.attempts - len(times))
    if regulations.window:
        rooms.append(pace.window_room(regulations.window, times, at))
    if regulations.accrual:
        rooms.append(pace.bucket_room(regulations.accrual, times, at))
    return max(0, min(rooms) - 1) if rooms else None
