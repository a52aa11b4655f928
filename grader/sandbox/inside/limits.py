"""Sets the kernel's limits on one case's process."""

from __future__ import annotations

import resource
from typing import Any

MIB = 1 << 20
INTERPRETER_MIB = 64
"""Address space of the interpreter itself with its libraries, so that the limit is the student's to use."""
STACK_MIB = 8
"""Linux's default, so recursion ends where it does at home; also the size of every thread's stack."""


def apply(limits: dict[str, Any]) -> None:
    """Set every limit, soft and hard alike; the CPU's is a backstop a second behind the supervisor's clock."""
    seconds = int(limits["cpu_s"]) + 2
    wanted = {
        "RLIMIT_AS": (limits["memory_mib"] + INTERPRETER_MIB) * MIB,
        "RLIMIT_CPU": seconds,
        "RLIMIT_FSIZE": limits["disk_mib"] * MIB,
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_STACK": STACK_MIB * MIB,
        "RLIMIT_MSGQUEUE": 0,
    }
    if limits["tasks"] is not None:
        wanted["RLIMIT_NPROC"] = limits["tasks"]
    for name, value in wanted.items():
        _set(name, value)


def _set(name: str, value: int) -> None:
    """Set one limit; a system that lacks it, as macOS lacks RLIMIT_AS, goes without (the level's gaps say so)."""
    which = getattr(resource, name, None)
    if which is None:
        return
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError):
        if name not in {"RLIMIT_AS", "RLIMIT_STACK"}:
            raise
