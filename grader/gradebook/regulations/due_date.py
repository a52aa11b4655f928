"""`due` and `late`: until when, and what lateness costs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

import msgspec

from grader.gradebook.regulations.rule import Rule, Situation
from grader.model.moments import moment_text
from grader.model.regulations import Late, Per
from grader.model.words import number_text, plural

if TYPE_CHECKING:
    from grader.model.regulations import Regulations

_UNITS = {Per.HOUR: timedelta(hours=1), Per.DAY: timedelta(days=1)}
_DAY = timedelta(days=1)


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """What being late costs."""

    percent: float = 0.0
    days: int = 0
    """Free late days that it uses."""


@dataclass(frozen=True, kw_only=True)
class DueDate(Rule):
    """The last moment, moved by a party's extensions."""

    reason = "late"
    due: datetime
    zone: str
    late: Late | None

    @classmethod
    def of(cls, regulations: Regulations) -> Self | None:
        if regulations.due is None:
            return None
        return cls(due=regulations.due, zone=regulations.zone, late=regulations.late)

    def own_due(self, push: Situation) -> datetime:
        """Return the party's due date: an extension never takes time away."""
        return max(self.due, push.extended_due or self.due)

    def lateness(self, push: Situation) -> Lateness | None:
        """Return what a push at this moment costs; None when it comes too late. The due second itself is in time."""
        moment, due = push.at.replace(microsecond=0), self.own_due(push)
        if moment <= due:
            return Lateness()
        until = self._until(push)
        if self.late is None or (until is not None and moment > until):
            return None
        behind = moment - due
        days = min(-(-behind // _DAY), max(0, self.late.days - push.late_days_elsewhere))
        rest = behind - days * _DAY
        if rest <= timedelta(0):
            return Lateness(days=days)
        if self.late.percent == 0 and self.late.days > 0:
            return None
        percent = min(self.late.percent * -(-rest // _UNITS[self.late.per]), self.late.cap_percent)
        return Lateness(percent=percent, days=days)

    def refusal(self, push: Situation) -> str:
        if self.lateness(push) is not None:
            return ""
        return f"the last moment was {self._text(self._until(push) or self.own_due(push))}, by the server's clock"

    def percent(self, push: Situation) -> float:
        return (self.lateness(push) or Lateness()).percent

    def late_days(self, push: Situation) -> int:
        return (self.lateness(push) or Lateness()).days

    def remark(self, push: Situation, *, room: int | None) -> str:
        del room
        used, percent = self.late_days(push), self.percent(push)
        days = f"It uses {plural(used, 'late day')}." if used else ""
        cost = f"It is late: {number_text(percent)}% is taken off its points." if percent else ""
        return f"{days} {cost}".strip()

    def lines(self) -> tuple[str, ...]:
        return f"Due: {self._text(self.due)}", self._late_line(self.late)

    def _late_line(self, late: Late | None) -> str:
        if late is None:
            return "No late submission is accepted"
        parts = [f"You have {plural(late.days, 'free late day')} in all"] if late.days else []
        if late.percent:
            cap = f", at most {number_text(late.cap_percent)}%" if late.cap_percent < 100 else ""
            after = "beyond them each" if late.days else "each"
            parts.append(f"{after} started {late.per} late costs {number_text(late.percent)}%{cap}")
        if not parts:
            parts.append("late submissions cost nothing")
        if late.until:
            parts.append(f"nothing is accepted after {self._text(late.until)}")
        text = "; ".join(parts)
        return text[0].upper() + text[1:]

    def _until(self, push: Situation) -> datetime | None:
        until = self.late.until if self.late else None
        return until + (self.own_due(push) - self.due) if until else None

    def _text(self, moment: datetime) -> str:
        return moment_text(moment, self.due, self.zone)
