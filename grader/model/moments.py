"""Moments with their zone: checked when they come in, written for people."""

from __future__ import annotations

from datetime import UTC, datetime

# strftime would follow the server's locale
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_FIRST_YEAR, _LAST_YEAR = 1970, 2499
"""Beyond these a moment is a slip, and some zone or sum of it lies beyond what Python can hold."""

LATEST = datetime(_LAST_YEAR, 12, 31, tzinfo=UTC)


def checked(name: str, moment: datetime) -> datetime:
    """Return the moment; raise ValueError for one without a UTC offset or far from any course."""
    written = moment.isoformat()
    if moment.utcoffset() is None:
        raise ValueError(f"{name} has no time zone: write {written}+08:00, with your own UTC offset, not {written}")
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise ValueError(f"{name} must lie in the years {_FIRST_YEAR} to {_LAST_YEAR}, not in {moment.year}")
    return moment


def read_moment(name: str, text: str) -> datetime:
    """Read ISO 8601 with an offset; raise ValueError that says how to write it."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ValueError(f"{name} {text!r} is no time: write it as 2019-04-04T23:59:59+08:00") from error
    return checked(f"{name} {text!r}", moment)


def moment_text(moment: datetime, due: datetime | None = None, zone: str = "") -> str:
    """Write a moment in the due date's zone, such as `23:59:59, April 4, 2019, CST`."""
    local = moment.astimezone(due.tzinfo if due else UTC)
    name = zone if due and zone else str(local.tzname())
    return f"{local:%H:%M:%S}, {_MONTHS[local.month - 1]} {local.day}, {local.year}, {name}"
