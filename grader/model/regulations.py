"""Who may submit, when, and at what cost: the rules as data.

A value that makes no sense raises ValueError at birth, so a loader can tell the place.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

import msgspec

from grader.model.moments import checked


class Counts(StrEnum):
    BEST = "best"
    LAST = "last"


class Per(StrEnum):
    """The unit of lateness; a started one counts whole."""

    HOUR = "hour"
    DAY = "day"


class Late(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lateness costs; without this, nothing late is accepted."""

    percent: float = 0.0
    """Taken off the attempt's points for each started unit."""
    per: Per = Per.DAY
    cap_percent: float = 100.0
    until: datetime | None = None
    """After this moment nothing is accepted at any cost."""
    days: int = 0
    """Free late days, shared by all assignments of the book; beyond them `percent` holds, or a refusal if it is 0."""

    def __post_init__(self) -> None:
        if self.until is not None:
            checked("late.until", self.until)
        _require(0 <= self.percent <= 100, "late.percent must lie between 0 and 100")
        _require(0 <= self.cap_percent <= 100, "late.cap_percent must lie between 0 and 100")
        _require(0 <= self.days <= _MOST_DAYS, f"late.days must lie between 0 and {_MOST_DAYS}")


class Window(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At most `attempts` in any `hours`."""

    attempts: int
    hours: float

    def __post_init__(self) -> None:
        _require(1 <= self.attempts <= _MOST, f"window.attempts must lie between 1 and {_MOST}")
        _require(0 < self.hours <= _LONGEST_HOURS, "window.hours must be more than 0 and at most ten years")


class Regulations(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All limits are optional; an empty value lets everybody submit at any time."""

    due: datetime | None = None
    """ISO 8601 with a UTC offset, such as `2019-04-04T23:59:59+08:00`; without an offset it is refused."""
    zone: str = ""
    """What people call that offset, such as `CST`; empty shows the offset itself."""
    late: Late | None = None
    attempts: int | None = None
    window: Window | None = None
    extra_percent: float | None = None
    """The first attempt beyond `attempts` costs this, the second twice this, and so on; without it: refused."""
    counts: Counts = Counts.BEST
    private_repository: bool = False
    text: str = ""
    """The regulations in the words students read; `{due}`, `{zone}`, `{attempts}`, … stand for the values above."""

    def __post_init__(self) -> None:
        if self.due is not None:
            checked("due", self.due)
        _require(self.attempts is None or 1 <= self.attempts <= _MOST, f"attempts must lie between 1 and {_MOST}")
        _require(
            self.extra_percent is None or 0 <= self.extra_percent <= 100, "extra_percent must lie between 0 and 100"
        )
        _require(self.extra_percent is None or self.attempts is not None, "extra_percent needs attempts")
        _require(self.late is None or self.due is not None, "late needs due")
        until = self.late.until if self.late else None
        _require(until is None or self.due is None or until >= self.due, "late.until must not lie before due")


_MOST = 1_000_000
"""More attempts than anybody makes; beyond some number the arithmetic of moments fails."""
_MOST_DAYS = 3653
_LONGEST_HOURS = 24.0 * _MOST_DAYS


def _require(claim: bool, message: str) -> None:
    if not claim:
        raise ValueError(message)
