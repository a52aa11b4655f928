"""Refuses to begin where this machine, or a limit that we inherited, is short of something.

A shortage is no verdict of a student's and no reason for a weaker wall, so it is looked for before anything runs.
"""

from __future__ import annotations

import os
import resource
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.sandbox.inside.wall.rlimits import MIB, wanted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import Limits

DESCRIPTORS = 40
"""Of one sandbox: five for each of three zygotes, eight for a case, and as many to start a zygote."""
ENOUGH = 4096
"""Descriptors that are asked for, where we may: more than any number of workers needs."""
LEAST = 96
"""Descriptors of a zygote, which inherits our limit, and of the process itself."""
TASKS = 64
"""Processes and threads of one sandbox beside the program's own."""
CAPS = frozenset({"RLIMIT_CORE", "RLIMIT_MSGQUEUE"})
"""What a case shall not have: the less is inherited, the better."""
SAID = {
    "RLIMIT_AS": ("memory", "ulimit -v unlimited"),
    "RLIMIT_CPU": ("processor time", "ulimit -t unlimited"),
    "RLIMIT_FSIZE": ("the size of a file", "ulimit -f unlimited"),
    "RLIMIT_NOFILE": ("open files", "ulimit -n 4096"),
    "RLIMIT_STACK": ("the stack", "ulimit -s unlimited"),
    "RLIMIT_NPROC": ("processes", "ulimit -u unlimited"),
}


def refuse(workers: int = 1, limits: Iterable[Limits] = ()) -> None:
    """Raise SandboxError where so many sandboxes can't be opened, or run cases with these limits."""
    allowed, used = _allowed_descriptors(), _used_descriptors()
    needed = max(DESCRIPTORS * workers + used, LEAST)
    if allowed < needed:
        raise SandboxError(
            f"Too few open files are allowed here: {allowed}, and {workers} sandboxes need {needed}.",
            hint="Raise the limit (`ulimit -n 4096`), or use fewer workers (-j).",
        )
    _refuse_few_tasks(workers)
    short = next(filter(None, (of_limits(each, tasks=None) for each in limits)), "")
    if short:
        raise SandboxError(f"Nothing was run: {short}.")


def _allowed_descriptors() -> int:
    """Return the limit, raised as far as we may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = ENOUGH if hard == resource.RLIM_INFINITY else min(hard, ENOUGH)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    return ENOUGH if soft == resource.RLIM_INFINITY else soft


def _used_descriptors() -> int:
    try:
        return len(list(Path("/dev/fd").iterdir()))
    except OSError:
        return 0


def _refuse_few_tasks(workers: int) -> None:
    """Count our user's tasks only where the limit is so low that it matters; root's aren't counted."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    if os.getuid() == 0 or soft == resource.RLIM_INFINITY or soft >= ENOUGH:
        return
    used = _tasks_of(os.getuid())
    if soft - used < TASKS * workers:
        raise SandboxError(
            f"Too few processes are allowed here: {soft}, of which {used} are in use; "
            f"{workers} sandboxes need {TASKS * workers} more.",
            hint="Raise the limit (`ulimit -u`), or use fewer workers (-j).",
        )


def _tasks_of(user: int) -> int:
    """Count a user's threads on this machine, where it tells."""
    count = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                count += (process / "task").stat().st_nlink - 2
        except OSError:  # it has ended
            continue
    return count


@lru_cache(maxsize=64)
def of_limits(limits: Limits, *, tasks: int | None) -> str:
    """Say which limit that we inherited is below what a case may use; empty when none is."""
    for name, (_, needed) in wanted(limits, tasks=tasks).items():
        number = getattr(resource, name, None)
        hard = resource.RLIM_INFINITY if number is None else resource.getrlimit(number)[1]
        if name not in CAPS and hard != resource.RLIM_INFINITY and hard < needed:
            what, remedy = SAID[name]
            return (
                f"this process inherited a limit on {what} ({hard}) below what a case may use ({needed}); "
                f"raise it before the grader starts: {remedy}"
            )
    return ""


def of_disk(folder: str, limits: Limits) -> str:
    """Say that the disk has too little room for what a case may write; empty when it has enough."""
    facts = os.statvfs(folder)
    free = facts.f_bavail * facts.f_frsize
    if free >= limits.disk_mib * MIB:
        return ""
    return (
        f"{folder} has only {free // MIB} MiB left, and a case may write {limits.disk_mib} MiB; set TMPDIR elsewhere"
    )
