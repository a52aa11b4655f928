"""The regulations as they hold for one party, after its extensions."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from grader.model.regulations import Late, Per, Regulations

if TYPE_CHECKING:
    from grader.gradebook.history import History

_UNITS = {Per.HOUR: timedelta(hours=1), Per.DAY: timedelta(days=1)}
_DAY = timedelta(days=1)


class Lateness(msgspec.Struct, frozen=True, kw_only=True):
    """What being late costs."""

    percent: float = 0.0
    days: int = 0
    """Free late days that it uses."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """Due date, last moment and quota of one party."""

    due: datetime | None = None
    until: datetime | None = None
    attempts: int | None = None
    late: Late | None = None
    free_days: int = 0

    def lateness(self, at: datetime) -> Lateness | None:
        """Give what a push at this moment costs; None when it comes too late. The due second itself is in time."""
        moment = at.replace(microsecond=0)
        if self.due is None or moment <= self.due:
            return Lateness()
        if self.late is None or (self.until is not None and moment > self.until):
            return None
        behind = moment - self.due
        days = min(-(-behind // _DAY), self.free_days)
        rest = behind - days * _DAY
        if rest <= timedelta(0):
            return Lateness(days=days)
        if self.late.percent == 0 and self.late.days > 0:
            return None
        percent = min(self.late.percent * -(-rest // _UNITS[self.late.per]), self.late.cap_percent)
        return Lateness(percent=percent, days=days)


def terms(regulations: Regulations, history: History) -> Terms:
    """Lay a party's extensions over the regulations; the latest due date and all extra attempts hold."""
    due, late = regulations.due, regulations.late
    until = late.until if late else None
    if due is not None:
        extended = max([due, *(each.due for each in history.extensions if each.due is not None)])
        until = until + (extended - due) if until else None
        due = extended
    attempts = regulations.attempts
    if attempts is not None:
        attempts = max(0, attempts + sum(each.attempts for each in history.extensions))
    free_days = max(0, late.days - history.late_days_elsewhere) if late else 0
    return Terms(due=due, until=until, attempts=attempts, late=late, free_days=free_days)
