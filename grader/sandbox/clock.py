"""Reads the CPU time of another process, finer than any kernel limit."""

from __future__ import annotations

import sys
import time
from functools import cached_property
from pathlib import Path

_SCHED = 2
"""Linux's CPUCLOCK_SCHED: nanoseconds on the processor, user and system together."""


class CpuClock:
    """The CPU clock of one process; silent where the system has none."""

    def __init__(self, pid: int, pidfd: int | None) -> None:
        self._given = pid
        self._pidfd = pidfd

    @cached_property
    def _pid(self) -> int:
        """The process's number here, which few cases last long enough to need."""
        return self._given if self._pidfd is None else _pid_here(self._pidfd)

    def seconds(self) -> float:
        """Give the CPU seconds so far; 0 once the process is gone or where nobody can tell."""
        if sys.platform != "linux":
            return 0.0
        try:
            return time.clock_gettime((~self._pid << 3) | _SCHED)
        except OSError:
            return 0.0

    def starved_s(self) -> float:
        """Give the seconds in which it could have run, but the machine was busy with others."""
        try:
            with Path(f"/proc/{self._pid}/schedstat").open("rb", buffering=0) as file:
                return int(file.read(256).split()[1]) / 1e9
        except (OSError, ValueError, IndexError):
            return 0.0


def _pid_here(pidfd: int) -> int:
    """Give the pid as our own namespace numbers it; the zygote's numbers may differ."""
    with Path(f"/proc/self/fdinfo/{pidfd}").open("rb", buffering=0) as file:
        _, found, rest = file.read(1024).partition(b"\nPid:")
    pid = int(rest.split()[0]) if found else 0
    if pid < 1:
        raise ProcessLookupError("the process has ended, or isn't one that we can see")
    return pid
