"""Finds the strongest level that really holds on this machine, by doing."""

from __future__ import annotations

import errno
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.sandbox.inside.wall.numbers import CALLS
from grader.sandbox.levels import canary, describe
from grader.sandbox.supervisor.sandbox import ForkingSandbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.result import Isolation

STRONGEST_FIRST = (Level.ISOLATED, Level.CONFINED)
_TRIED: dict[Level, Failure | None] = {}
"""What was found out in this process."""
LACKS = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENODEV}
_ERRNO = re.compile(r"\[Errno (\d+)\]")


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A level that doesn't hold here, and why."""

    level: Level
    why: str
    is_lack: bool = True
    """The machine has no such mechanism. Else something ran short, and that is no reason for a weaker wall."""


@cache
def probe() -> Isolation:
    """Return the strongest level that holds, with what is missing to the next one; found once per process."""
    failures: list[Failure] = []
    for level in STRONGEST_FIRST:
        failure = try_level(level)
        if failure is None:
            return statement(level, failures[-1].why if failures else "")
        if not failure.is_lack:
            raise SandboxError(
                f"The isolation '{level}' could not be tried: {failure.why}",
                hint="Nothing was run. Free what is short, then try again.",
            )
        failures.append(failure)
    return statement(Level.NONE, "; ".join(failure.why for failure in failures))


def try_level(level: Level) -> Failure | None:
    """Run a real case and the canaries' attempts behind this level's wall; found once per process."""
    if level not in _TRIED:
        if not _is_known_linux():
            return Failure(level=level, why=f"{sys.platform} has no such mechanism")
        sandbox = ForkingSandbox(level, describe.isolation(level, ""), warm=())
        try:
            _TRIED[level] = _try(sandbox)
        finally:
            sandbox.close()
    return _TRIED[level]


def prove(watcher_source: str, expected: tuple[Sequence[str], int]) -> ForkingSandbox | None:
    """Return a sandbox of the strongest level that was tried itself; None where that was done, or it doesn't hold."""
    level = STRONGEST_FIRST[0]
    if _TRIED or not _is_known_linux():
        return None
    sandbox = ForkingSandbox(level, statement(level, ""), watcher_source=watcher_source)
    _TRIED[level] = _try(sandbox, canary.Expected(tuple(expected[0]), expected[1]))
    if _TRIED[level] is None:
        return sandbox
    sandbox.close()
    return None


def _try(sandbox: ForkingSandbox, expected: canary.Expected | None = None) -> Failure | None:
    level = sandbox.level
    try:
        escaped = canary.escapes(sandbox, expected)
    except (OSError, SandboxError) as error:
        return Failure(level=level, why=str(error), is_lack=_is_lack(str(error)))
    return Failure(level=level, why=f"the wall let through: {', '.join(escaped)}") if escaped else None


def _is_lack(why: str) -> bool:
    """Tell whether the kernel said that there is no such thing here, or that we may not."""
    found = _ERRNO.findall(why)
    if found and int(found[-1]) == errno.ENOSPC:  # of namespaces: none are allowed, or all are in use
        most = Path("/proc/sys/user/max_user_namespaces")
        return "unshare" in why and most.exists() and most.read_text().strip() == "0"
    return bool(found) and int(found[-1]) in LACKS


def statement(level: Level, why: str) -> Isolation:
    """Return what holds at a level that was tried."""
    if sys.platform != "linux":
        return describe.isolation(level, why, memory=sys.platform != "darwin")
    from grader.sandbox.inside.wall import linux  # noqa: PLC0415 -- only Linux has its calls

    return describe.isolation(level, why, landlock=linux.landlock_version() > 0)


def _is_known_linux() -> bool:
    return sys.platform == "linux" and os.uname().machine in CALLS
