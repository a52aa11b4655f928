"""Gives back the levels of recursion that the way to the program has used.

The counter's place in the interpreter's thread state differs between versions, so it is found by experiment when the
zygote starts; where the experiment doesn't convince, nothing is touched and recursion ends one level early.
"""

from __future__ import annotations

import ctypes
import sys

REACH = 64
"""Words of the thread state to look at: the counters stand near its beginning in every version so far."""

_found: list[int] = []


def find() -> None:
    """Find the counter of remaining levels: it moves with the limit, and stands one word beside it."""
    before = sys.getrecursionlimit()
    try:
        seen = [_snapshot(limit) for limit in (before + 1000, before + 3000)]
    finally:
        sys.setrecursionlimit(before)
    limits = [i for i in range(REACH) if [words[i] for words in seen] == [before + 1000, before + 3000]]
    moved = [i for i in range(REACH) if seen[1][i] - seen[0][i] == 2000 and i not in limits]
    beside = [i for i in moved if i + 1 in limits and 0 < limits_gap(seen[0], i) < 50]
    _found[:] = beside if len(beside) == 1 and sys.version_info < (3, 12) else []


def limits_gap(words: list[int], index: int) -> int:
    """Give the levels in use when the snapshot was taken, were this word the counter."""
    return words[index + 1] - words[index]


def _snapshot(limit: int) -> list[int]:
    sys.setrecursionlimit(limit)
    return list(_state())


def _state() -> ctypes.Array[ctypes.c_int]:
    get = ctypes.pythonapi["PyThreadState_Get"]
    get.restype = ctypes.c_void_p
    address = get()
    return (ctypes.c_int * REACH).from_address(address)


def give_back(levels: int) -> None:
    """Add levels to the counter; before 3.12 a call from C costs one, since then none."""
    for index in _found:
        _state()[index] += levels
