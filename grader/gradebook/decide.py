"""Decide on one push: a pure function of regulations, history and moment."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from grader.gradebook.messages import accepted_text, refused_text
from grader.gradebook.regulations import rules_of

if TYPE_CHECKING:
    from grader.gradebook.regulations.rule import Rule, Situation
    from grader.model.regulations import Regulations


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a push is graded, and at what cost."""

    accepted: bool
    is_open: bool = False
    """Neither accepted nor refused: something that a rule needs isn't known yet."""
    reason: str = ""
    """Which rule refuses."""
    text: str = ""
    number: int
    """Which attempt it is, from 1; for a refused push, which it would have been."""
    cost_percent: float = 0.0
    """Taken off this attempt's points, at most 100."""
    late_days: int = 0
    room: int | None = None
    """Attempts left after this one that could come at this very moment; None without a limit."""
    next_allowed: datetime | None = None
    """For a refused push: when it would be accepted, if waiting helps."""


def decide(regulations: Regulations, push: Situation) -> Decision:
    """Say whether this push is graded; the caller holds the ledger's lock between this and the next event."""
    rules = rules_of(regulations)
    if any(rule.is_open(push) for rule in rules):
        known = msgspec.structs.replace(push, private=True)
        decision = decide(regulations, known)
        return msgspec.structs.replace(decision, accepted=False, is_open=True) if decision.accepted else decision
    for rule in rules:
        why = rule.refusal(push)
        if why:
            later = _next_allowed(rules, push)
            text = refused_text(regulations, why, later)
            return Decision(
                accepted=False, reason=rule.reason, number=push.number, room=0, next_allowed=later, text=text
            )
    rooms = [room for rule in rules if (room := rule.room(push)) is not None]
    room = max(0, min(rooms) - 1) if rooms else None
    return Decision(
        accepted=True,
        number=push.number,
        cost_percent=cost_percent(rules, push),
        late_days=sum(rule.late_days(push) for rule in rules),
        room=room,
        text=accepted_text(rules, push, room=room),
    )


def cost_percent(rules: tuple[Rule, ...], push: Situation) -> float:
    """Return what all rules together take off, at most everything."""
    return min(100.0, sum(rule.percent(push) for rule in rules))


def _next_allowed(rules: tuple[Rule, ...], push: Situation) -> datetime | None:
    moments = sorted({each for rule in rules for each in rule.opens(push) if each > push.at})
    for moment in moments:
        later = msgspec.structs.replace(push, at=moment)
        if not any(rule.refusal(later) for rule in rules):
            return moment
    return None
