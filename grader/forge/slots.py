"""Bound how many gradings run at once on this machine.

A slot is a lock on a file; the kernel frees it when its holder dies, however it dies.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_POLL_S = 0.2


@contextmanager
def slot(folder: Path, count: int, *, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold one of the `count` slots of a folder of ours; `waiting` is called once if none is free."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = False
    while (held := _take(folder, count)) is None:
        if not told:
            waiting()
            told = True
        time.sleep(_POLL_S)
    try:
        yield
    finally:
        os.close(held)


def _take(place: Path, count: int) -> int | None:
    for number in range(count):
        descriptor = os.open(place / f"slot-{number}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return descriptor
    return None
