"""How fast attempts may follow each other: rolling window, token bucket."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.regulations import Accrual, Window


def window_room(window: Window, times: Sequence[datetime], at: datetime) -> int:
    """Give how many more attempts fit at this moment, so that no span of the window's length ever holds too many."""
    length = timedelta(hours=window.hours)
    near = sorted(each for each in times if at - length < each < at + length)
    starts = [*(each for each in near if each < at), at]
    fullest = max(sum(1 for each in near if start <= each < start + length) for start in starts)
    return window.attempts - fullest


def window_opens(window: Window, times: Sequence[datetime]) -> list[datetime]:
    """Give the moments at which an old attempt leaves the window."""
    return [each + timedelta(hours=window.hours) for each in times]


def bucket_allows(accrual: Accrual, times: Sequence[datetime], at: datetime) -> bool:
    """Tell whether the bucket holds a token at this moment and none is missing later for it."""
    return _overdrafts(accrual, [*times, at]) <= _overdrafts(accrual, times)


def bucket_opens(accrual: Accrual, times: Sequence[datetime]) -> list[datetime]:
    """Give the moment at which the next token is there, as if no attempt followed."""
    if not times:
        return []
    level, _ = _drain(accrual, times)
    return [max(times) + max(timedelta(0), timedelta(hours=accrual.hours) - level)]


def bucket_room(accrual: Accrual, times: Sequence[datetime], at: datetime) -> int:
    """Give the whole tokens in the bucket at this moment."""
    if not times or at < max(times):
        return accrual.most if not times else int(bucket_allows(accrual, times, at))
    token = timedelta(hours=accrual.hours)
    level, _ = _drain(accrual, times)
    return min(token * accrual.most, level + (at - max(times))) // token


def _overdrafts(accrual: Accrual, times: Sequence[datetime]) -> int:
    return _drain(accrual, times)[1]


def _drain(accrual: Accrual, times: Sequence[datetime]) -> tuple[timedelta, int]:
    """Play the attempts in order; the level is kept as time, so that nothing is lost to rounding."""
    token = timedelta(hours=accrual.hours)
    full = level = token * accrual.most
    missing, before = 0, None
    for each in sorted(times):
        level = min(full, level + (each - before)) if before else level
        missing += level < token
        level = max(timedelta(0), level - token)
        before = each
    return level, missing
