"""What must be known of the machine to read the table."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path


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
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"
