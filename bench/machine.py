"""What must be known of the machine to read the table."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from grader.sandbox.inside.wall import linux

if TYPE_CHECKING:
    from collections.abc import Iterator

_STEAL, _OTHERS = 0.02, 0.10
"""Shares of the machine that the host, and other processes, may take before a figure is in doubt."""
_FIELDS = 8
_TICKS_S = os.sysconf("SC_CLK_TCK")
_IDLE, _WAITING, _STOLEN = 3, 4, 7
"""Places in the first line of /proc/stat."""
_PARENT, _USED = 1, slice(11, 15)
"""Places after the name in /proc/PID/stat: its parent; its own time, and that of children it has waited for."""


class Ticks(NamedTuple):
    """Seconds of processor time up to now: what there was, what was used, by us, and by the host."""

    all_s: float
    busy_s: float
    ours_s: float
    stolen_s: float

    @classmethod
    def now(cls) -> Ticks:
        line = Path("/proc/stat").read_text().partition("\n")[0]
        ticks = [int(word) / _TICKS_S for word in line.split()[1 : _FIELDS + 1]]
        idle_s = ticks[_IDLE] + ticks[_WAITING]
        return cls(sum(ticks), sum(ticks) - idle_s - ticks[_STOLEN], _used_s(os.getpid()), ticks[_STOLEN])


def adopt_orphans() -> None:
    """Have what our children leave behind, as a browser does, stay below us: it counts as ours."""
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)


def _used_s(root: int) -> float:
    """Return the processor time of a process and of all below it, those included that ended and nobody waited for."""
    children: dict[int, list[int]] = {}
    used_s: dict[int, float] = {}
    for number, parent, seconds in _processes():
        children.setdefault(parent, []).append(number)
        used_s[number] = seconds
    ours = [root]
    for number in ours:
        ours += children.get(number, ())
    return sum(used_s[number] for number in ours)


def _processes() -> Iterator[tuple[int, int, float]]:
    """Yield each process: its number, its parent's, and what it and the children it waited for have used."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        yield int(folder.name), int(words[_PARENT]), sum(map(int, words[_USED])) / _TICKS_S


def doubt_since(before: Ticks) -> str:
    """Say why what was measured since then can't be believed; nothing where it can."""
    all_s, busy_s, ours_s, stolen_s = (now - then for now, then in zip(Ticks.now(), before, strict=True))
    stolen, others = stolen_s / max(all_s, 0.01), max(0.0, busy_s - ours_s) / max(all_s, 0.01)
    if stolen > _STEAL:
        return f"the host took {stolen:.0%} of the machine"
    return f"others took {others:.0%} of the machine" if others > _OTHERS else ""


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
