"""Sets the kernel's limits on one case's process."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

try:
    import resource as _resource
except ImportError:  # Windows, a browser: there the portable sandbox does what it can without
    _resource = None  # type: ignore[assignment]

resource: Any = _resource

KIB, MIB = 1 << 10, 1 << 20
INTERPRETER_MIB = 64
"""Address space of the interpreter itself with its libraries, so that the limit is the student's to use."""
RESERVE_MIB = 16
"""Between the soft and the hard limit: with it the harness can still tell of a MemoryError."""
STACK_MIB = 8
"""Linux's default, so recursion ends where it does at home; programs may raise it up to their memory."""


def wanted(limits: Any, *, tasks: int | None) -> dict[str, tuple[int, int]]:
    """Return each soft and hard limit of a case; the CPU's is a backstop far behind the supervisor's clock.

    The kernel counts whole ticks against it: a program that runs a moment at each tick is charged for all of them.
    """
    seconds = 2 * int(limits.cpu_s + limits.wall_s) + 2
    space = (limits.memory_mib + INTERPRETER_MIB) * MIB
    every = {
        "RLIMIT_AS": (space, space + RESERVE_MIB * MIB),
        "RLIMIT_CPU": (seconds, seconds),
        "RLIMIT_FSIZE": (limits.disk_mib * MIB, limits.disk_mib * MIB),
        "RLIMIT_NOFILE": (limits.files, limits.files),
        "RLIMIT_CORE": (1, 1),  # with 0, a core pattern that is a pipe still gets its dump
        "RLIMIT_STACK": (STACK_MIB * MIB, max(limits.memory_mib, STACK_MIB) * MIB),
        "RLIMIT_MSGQUEUE": (0, 0),
    }
    return every if tasks is None else {**every, "RLIMIT_NPROC": (tasks, tasks)}


def apply(limits: dict[str, tuple[int, int]]) -> None:
    """Set every limit."""
    for name, pair in limits.items():
        _set(name, *pair)


def use_reserve() -> None:
    """Let the harness allocate a little once the program's own memory is used up."""
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def is_half_used() -> bool:
    """Tell whether the process has ever used half of the memory that it may."""
    if resource is None:
        return False
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    used: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * KIB
    return bool(soft >= 0 and used * 2 > soft)


def peak_mib() -> float:
    """Return the most memory that this process has used; 0 where the system doesn't say."""
    with (
        contextlib.suppress(OSError),
        open("/proc/self/status", "rb") as status,
    ):  # Linux; getrusage counts the parent
        return next((int(line.split()[1]) / KIB for line in status if line.startswith(b"VmHWM:")), 0.0)
    if resource is None:
        return 0.0
    unit = MIB if sys.platform == "darwin" else KIB
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) / unit


def _set(name: str, soft: int, hard: int) -> None:
    """Set one limit; a system that lacks it, as macOS lacks RLIMIT_AS, goes without (the level's gaps say so)."""
    if name not in _HIGHEST:
        return
    which, highest = _HIGHEST[name]
    if highest != resource.RLIM_INFINITY:
        hard = min(hard, highest)
    try:
        resource.setrlimit(which, (min(soft, hard), hard))
    except (ValueError, OSError):
        if name not in {"RLIMIT_AS", "RLIMIT_STACK"}:
            raise


def _find_highest() -> dict[str, tuple[int, int]]:
    """Look up each limit's number and its present bound, which every child of this process inherits."""
    if resource is None:
        return {}
    numbers = {name: getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}
    return {name: (number, resource.getrlimit(number)[1]) for name, number in numbers.items()}


_HIGHEST = _find_highest()
