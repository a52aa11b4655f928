"""Ends other people's code that takes too long, where a signal can: in the main thread, on Unix."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

CPU_S = 20.0
"""Some times as long as a reader has for one answer (`Job` in grader/readers/job.py)."""
CLOCK_S = 60.0


class TooLongError(BaseException):
    """Says which bound was met; no Exception, so that a kit that handles its errors doesn't go on."""


@contextmanager
def deadline() -> Iterator[None]:
    """Raise TooLongError in the midst of the block after CPU_S or CLOCK_S; elsewhere the block has no end.

    Processor time ends a loop, and load doesn't matter; the clock ends what waits.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    told = {signal.SIGPROF: f"{CPU_S:g} s of processor time", signal.SIGALRM: f"{CLOCK_S:g} s on the clock"}

    def end(number: int, _: Any) -> None:
        raise TooLongError(told[signal.Signals(number)])

    before = {number: signal.signal(number, end) for number in told}
    try:
        signal.setitimer(signal.ITIMER_PROF, CPU_S)
        signal.setitimer(signal.ITIMER_REAL, CLOCK_S)
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
