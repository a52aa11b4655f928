"""Decides which users cases run as when we are root.

As root no case may be user 0: the kernel doesn't count root's processes, and root owns too much. So each sandbox has
a user of its own, and a container has a whole range of them.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import TYPE_CHECKING

from grader.sandbox.supervisor import interpreter

if TYPE_CHECKING:
    from grader.sandbox.inside.plan import Ids

FIRST = 0x70000000
"""Above every range that distributions, systemd and container runtimes hand out, below 2³¹."""
SLOTS = 1 << 24
RANGE = 1 << 16
"""Users of a container: what /etc/subuid usually gives, too."""
_serial = itertools.count()


def own_user(library: str) -> Ids | None:
    """Return the user that a case becomes, another for each sandbox; None when we aren't root."""
    if os.getuid() != 0 or not _mapped(FIRST):
        return None
    number = FIRST + (os.getpid() * 64 + next(_serial)) % SLOTS
    return {"id": number, "keep_reading": not interpreter.readable_by_others(library)}


def has_range() -> bool:
    """Tell whether we may map a container's users to a range of their own."""
    return os.getuid() == 0 and _mapped(FIRST + SLOTS + RANGE)


def map_users(pid: int) -> None:
    """Map the users and groups of a new user namespace to the range."""
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{name}").write_text(f"0 {FIRST + SLOTS} {RANGE}", encoding="ascii")


def _mapped(number: int) -> bool:
    """Tell whether this number is a user at all here; in a container few are."""
    try:
        lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    except OSError:
        return True
    return any(int(first) <= number < int(first) + int(count) for first, _, count in map(str.split, lines))
