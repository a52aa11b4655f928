"""Reads a moment that an option gives."""

from __future__ import annotations

from datetime import datetime

from grader.errors import UsageError


def read_moment(option: str, given: str) -> datetime:
    """Read a moment; without a time zone it would mean another one on each machine."""
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as error:
        raise UsageError(f"{option} {given!r} is no time.", hint="Write it as 2019-04-04T23:59:59+08:00") from error
    if moment.utcoffset() is None:
        raise UsageError(f"{option} {given!r} has no time zone.", hint=f"Write it as {given}+08:00, or {given}Z")
    return moment
