"""Watches what a case uses: processor time, and disk and threads where no mount and no count of its own bounds them.

Of files the kernel bounds each one alone. Their sum is what lies in the case's folder, what it holds open without a
name, and what it has mapped and closed without a name.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from grader.model.verdict import Ending

if TYPE_CHECKING:
    from grader.model.run import Limits

MIB = 1 << 20
ENTRY_COST = 4096
"""A folder takes a block, and an empty file costs no less: an inode, a name, and the time to remove it."""
SLACK = MIB
"""Over the limit that single files have from the kernel, so that a file just at it is no breach."""
DEEPEST = 100
"""Folders within folders: more are nobody's homework, and each look would take longer than the one before."""
SHARE = 5
"""A look is repeated only after this many times the processor time that it took."""
OWN_TASKS = 1
"""The first thread."""
_SCHED = 2
"""Linux's CPUCLOCK_SCHED: nanoseconds on the processor, user and system together."""
_GONE = {errno.ENOENT, errno.ENOTDIR, errno.ESRCH}


class UsageWatch:
    """Tells which limit a case is over; looks at most as often as it is cheap."""

    def __init__(self, folder: str, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._disk = limits.disk_mib * MIB + SLACK
        self._next = 0.0

    def excess(self, pid: int) -> tuple[Ending, str] | None:
        """Return how a case ends that uses too much, and of what; None when all is within its limits."""
        began = time.monotonic()
        if began < self._next:
            return None
        used = time.thread_time()
        found = self._look(pid)
        self._next = began + SHARE * (time.thread_time() - used)
        return found

    def _look(self, pid: int) -> tuple[Ending, str] | None:
        limits = self._limits
        if _threads(pid) > OWN_TASKS + limits.threads + limits.processes:
            return Ending.SIGNALLED, f"it started more than {limits.threads} threads"
        total = _named(self._folder, self._disk)
        if total <= self._disk:
            total += _nameless(pid, self._folder, limits.disk_mib * MIB)
        if total > self._disk:
            return Ending.OUTPUT_LIMIT, f"the files written are larger than {limits.disk_mib} MiB"
        return None


def _named(folder: str, limit: int) -> int:
    """Count a folder's bytes until the limit is passed; one that can't be looked into hides something: too much."""
    total = 0
    pending = [(folder, 0)]
    while pending and total <= limit:
        path, depth = pending.pop()
        if depth > DEEPEST:
            return limit + 1
        try:
            with os.scandir(path) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append((entry.path, depth + 1))
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    total += ENTRY_COST
        except OSError as error:
            if error.errno not in _GONE:
                return limit + 1
    return total


def _nameless(pid: int, below: str, largest: int) -> int:
    """Count the bytes of files without a name that a process holds; 0 where the system doesn't let us look.

    Of a file that is mapped and closed only its number is known, so it counts as large as a file can be.
    """
    sizes: dict[int, int] = {}
    process = Path(f"/proc/{pid}")
    try:
        for link in (process / "fd").iterdir():
            facts = link.stat()
            if stat.S_ISREG(facts.st_mode) and not facts.st_nlink:
                sizes[facts.st_ino] = facts.st_blocks * 512
        with (process / "maps").open("rb") as maps:
            for line in maps:
                if line.endswith(b" (deleted)\n") and os.fsencode(below) in line:
                    sizes.setdefault(int(line.split(maxsplit=5)[4]), largest)
    except (OSError, ValueError):
        pass  # it has ended, or isn't ours to look at
    return sum(sizes.values())


def _threads(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}/task").stat().st_nlink - 2
    except OSError:
        return 0


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
