"""Reads the CPU time of another process, finer than any kernel limit."""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path

_SCHED = 2
"""Linux's CPUCLOCK_SCHED: nanoseconds on the processor, user and system together."""


class CpuClock:
    """The CPU clock of one process."""

    def __init__(self, pidfd: int) -> None:
        self._pidfd = pidfd

    @cached_property
    def pid(self) -> int:
        """The process's number here, which few cases last long enough to need."""
        return _pid_here(self._pidfd)

    def seconds(self) -> float:
        """Return the CPU seconds so far; 0 once the process is gone."""
        try:
            return time.clock_gettime((~self.pid << 3) | _SCHED)
        except OSError:
            return 0.0

    def starved_s(self) -> float | None:
        """Return the seconds in which it could have run, but the machine was busy with others; None if unknown.

        The kernel counts the first thread's waiting. While its other threads ran, it may have waited for those.
        """
        try:
            with Path(f"/proc/{self.pid}/schedstat").open("rb", buffering=0) as file:
                ran, waited = (int(word) / 1e9 for word in file.read(256).split()[:2])
        except (OSError, ValueError):
            return None
        return max(0.0, waited - max(0.0, self.seconds() - ran))


def _pid_here(pidfd: int) -> int:
    """Return the pid as our own namespace numbers it; the zygote's numbers may differ."""
    with Path(f"/proc/self/fdinfo/{pidfd}").open("rb", buffering=0) as file:
        _, found, rest = file.read(1024).partition(b"\nPid:")
    pid = int(rest.split()[0]) if found else 0
    if pid < 1:
        raise ProcessLookupError("the process has ended, or isn't one that we can see")
    return pid
