"""Finds the strongest level that really holds on this machine, by doing."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.sandbox import canary, claims
from grader.sandbox.forking import ForkingSandbox
from grader.sandbox.inside.numbers import CALLS

if TYPE_CHECKING:
    from grader.model.result import Isolation

STRONGEST_FIRST = (Level.ISOLATED, Level.CONFINED, Level.LIMITED)
MUST_STOP = {
    Level.ISOLATED: {"file", "write", "network", "process", "signal"},
    Level.CONFINED: {"file", "write", "network", "process", "signal"},
    Level.LIMITED: set(),
}
"""Which of the canary's attempts a level may not let through."""


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A level that doesn't hold here, and why."""

    level: Level
    why: str


@cache
def probe() -> Isolation:
    """Give the strongest level that holds, with what is missing to the next one; found once per process."""
    failures: list[Failure] = []
    for level in STRONGEST_FIRST:
        failure = try_level(level)
        if failure is None:
            return statement(level, failures[-1].why if failures else "")
        failures.append(failure)
    return claims.isolation(Level.NONE, "; ".join(failure.why for failure in failures))


@cache
def try_level(level: Level) -> Failure | None:
    """Run a real case and the canaries' attempts behind this level's wall."""
    if os.name != "posix" or (level is not Level.LIMITED and not _is_known_linux()):
        return Failure(level=level, why=f"{sys.platform} has no such mechanism")
    sandbox = ForkingSandbox(level, claims.isolation(level, ""), warm=())
    try:
        escaped = MUST_STOP[level].intersection(canary.escapes(sandbox))
    except (OSError, SandboxError) as error:
        return Failure(level=level, why=str(error))
    finally:
        sandbox.close()
    return Failure(level=level, why=f"the wall let through: {', '.join(sorted(escaped))}") if escaped else None


def statement(level: Level, why: str) -> Isolation:
    """Give what holds at a level that was tried."""
    if sys.platform != "linux":
        return claims.isolation(level, why, memory=sys.platform != "darwin")
    from grader.sandbox.inside import linux  # noqa: PLC0415 -- only Linux has its calls

    return claims.isolation(level, why, landlock=linux.landlock_version() > 0)


def _is_known_linux() -> bool:
    return sys.platform == "linux" and os.uname().machine in CALLS
