"""Measures how slow this machine is, so that a time limit means the same on all of them.

The catalogue's limits are for a machine that does the work below in `_REFERENCE_S`. On one that needs 1.8 times as
long they are multiplied by 1.8; never by less than 1, so that a quick machine is no stricter than the handout.
"""

from __future__ import annotations

import functools
import time
from typing import TYPE_CHECKING

import msgspec

from grader.model.submission import Note

if TYPE_CHECKING:
    from grader.model.run import Limits

_REFERENCE_S = 0.0009
_TRIALS, _MOST_S = 50, 0.05
_SIDE = 30
SLOW = "slow-machine"
"""Kind of the note that says so."""
MOST = 8
"""No machine gets more than this: an endless program must stay affordable."""


@functools.cache
def measured() -> float:
    """Return how many times as long as on the reference machine the work takes here; the best of some trials.

    There are no more of them once one leaves nothing to stretch, or they took long: a `check` waits for it.
    """
    best, all_s = MOST * _REFERENCE_S, 0.0
    for _ in range(_TRIALS):
        spent_s = _spent()
        best, all_s = min(best, spent_s), all_s + spent_s
        if best <= _REFERENCE_S or all_s > _MOST_S:
            break
    return best / _REFERENCE_S


def factor() -> float:
    """Return what time limits are multiplied by, to a tenth: less is the minute's, not the machine's."""
    return round(min(MOST, max(1.0, measured())), 1)


def stretched(limits: Limits) -> Limits:
    """Return the limits as they hold on this machine."""
    times = factor()
    if times == 1:
        return limits
    tick_s = None if limits.tick_s is None else limits.tick_s * times
    return msgspec.structs.replace(limits, cpu_s=limits.cpu_s * times, wall_s=limits.wall_s * times, tick_s=tick_s)


def slow_notes() -> tuple[Note, ...]:
    """Say in every result that limits were stretched, and by how much; nothing where they were not."""
    words = f"this machine is slower than the limits were made for: time limits are multiplied by {factor():g}"
    return () if factor() == 1 else (Note(kind=SLOW, message=words),)


def _spent() -> float:
    began = time.process_time()
    _work()
    return time.process_time() - began


def _work() -> int:
    """Walk over a board as students' programs do: tuples, a dictionary, a list, some text."""
    reached = [(0, 0)]
    seen = {(0, 0): (0, 0)}
    for row, column in reached:
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            new = (row + down, column + right)
            if 0 <= new[0] < _SIDE and 0 <= new[1] < _SIDE and new not in seen:
                seen[new] = (row, column)
                reached.append(new)
    return len("".join(str(place) for place in reached))
