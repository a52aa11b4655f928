"""What must be known of the machine to read the table."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

_BUSY = 0.10
"""The share of the machine that others may use before a figure is in doubt."""
_USER, _NICE, _SYSTEM, _STOLEN = 0, 1, 2, 7
"""Places in the first line of /proc/stat."""


class Ticks(NamedTuple):
    """Seconds since some moment: on the clock, of processor time of all, and of processes that we waited for."""

    clock_s: float
    busy_s: float
    ours_s: float

    @classmethod
    def now(cls) -> Ticks:
        words = Path("/proc/stat").read_text().partition("\n")[0].split()[1:]
        busy = sum(int(words[place]) for place in (_USER, _NICE, _SYSTEM, _STOLEN)) / os.sysconf("SC_CLK_TCK")
        return cls(perf_counter(), busy, sum(os.times()[:4]))


def doubt_since(before: Ticks) -> str:
    """Return why what was measured since then can't be believed; nothing where it can."""
    clock_s, busy_s, ours_s = (now - then for now, then in zip(Ticks.now(), before, strict=True))
    others = max(0.0, busy_s - ours_s) / (clock_s * (os.cpu_count() or 1))
    return f"others took {others:.0%} of the machine" if others > _BUSY else ""


def is_committed() -> bool:
    """Tell whether the figures are those of the commit; the table itself may lag behind."""
    command = ["git", "-C", str(Path(__file__).parents[1]), "status", "--porcelain", "--", ".", ":!bench/RESULTS.md"]
    return not subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def describe() -> dict[str, str]:
    return {
        "processor": f"{_processor()}, {len(os.sched_getaffinity(0))} cores for us",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_version()}, {os.path.realpath(sys.executable)}",
        "commit": _commit(),
        "load before": f"{os.getloadavg()[0]:.1f}",
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
