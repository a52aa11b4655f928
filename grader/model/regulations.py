"""Who may submit, when, and at what cost: the rules as data (part F reads them)."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Counts(StrEnum):
    BEST = "best"
    LAST = "last"


class Late(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lateness costs; without this, nothing late is accepted."""

    percent: float = 0.0
    per: str = "day"
    cap_percent: float = 100.0
    until: str | None = None
    days: int = 0
    """Free late days in all."""


class Window(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """At most `attempts` in any `hours`."""

    attempts: int
    hours: float


class Accrual(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token bucket: one attempt more every `hours`, at most `most` saved up."""

    hours: float
    most: int


class Regulations(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All limits are optional; an empty value lets everybody submit at any time."""

    due: str | None = None
    """ISO 8601 with a UTC offset, such as `2019-04-04T23:59:59+08:00`; without an offset it is refused."""
    late: Late | None = None
    attempts: int | None = None
    window: Window | None = None
    accrual: Accrual | None = None
    extra_percent: float | None = None
    """Each attempt beyond `attempts` costs this; without it they are refused."""
    counts: Counts = Counts.BEST
    private_repository: bool = False
    text: str = ""
    """The regulations in the words students read."""
