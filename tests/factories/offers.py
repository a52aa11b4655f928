"""What this machine offers the tests: a test that needs more is skipped here, in one place, with its reason."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import pytest

from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable

MUST = os.environ.get("GRADER_TEST_ALL", "")
"""`1`, or names of NEEDS: what is missing fails instead of skipping, as in `.ci/run`."""
PREFIX = "this machine has no "


class Need(NamedTuple):
    """Something that a test needs of the machine."""

    what: str  # completes "this machine has no …"
    remedy: str
    is_here: Callable[[], bool]


def _opens(level: Level) -> bool:
    try:
        open_sandbox(level).close()
    except SandboxError:
        return False
    return True


def _has_mounts() -> bool:
    command = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs "$1"', "sh", os.path.realpath(os.curdir)]
    return (
        shutil.which("unshare") is not None
        and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )


NEEDS = {
    "isolated": Need(
        "isolation by namespaces (level isolated)",
        "allow unprivileged user namespaces, or in a container the call `unshare`",
        lambda: _opens(Level.ISOLATED),
    ),
    "confined": Need(
        "isolation by Landlock (level confined)",
        "a kernel from 5.13 on with Landlock among its `lsm=`",
        lambda: _opens(Level.CONFINED),
    ),
    "root": Need("rights of root", "run the tests as root", lambda: os.geteuid() == 0),
    "mounts": Need("right to mount in a namespace", "run the tests as root outside a container", _has_mounts),
    "proc": Need("/proc", "run the tests on Linux", lambda: sys.platform == "linux"),
}


_REFUSED = re.compile(r"'(\w+)' was required; nothing was run|Level (\w+) doesn't hold here")
"""What the grader says where it runs nothing for want of isolation."""


def refused_for(text: str) -> str:
    """Return the need for want of which the grader itself refused to run, by what a test has heard of it."""
    levels = [one or other for one, other in _REFUSED.findall(text)]
    return next((level for level in levels if level in NEEDS and not is_here(level)), "")


@cache
def is_here(name: str) -> bool:
    return NEEDS[name].is_here()


def require(*names: str) -> None:
    """Skip the running test, or fail it where everything must run, unless the machine has what is named."""
    for name in names:
        if not is_here(name):
            lack(NEEDS[name].what, NEEDS[name].remedy, must=must(name))


def must(name: str) -> bool:
    """Return whether a test that needs this may not skip."""
    return MUST == "1" or name in MUST.split(",")


def reason(what: str, remedy: str) -> str:
    return f"{PREFIX}{what}: {remedy}"


def lack(what: str, remedy: str, *, must: bool = MUST == "1") -> NoReturn:
    """Skip the running test for want of a thing; fail it where it must run."""
    if must:
        pytest.fail(f"{reason(what, remedy)} (GRADER_TEST_ALL={MUST} doesn't let it skip)")
    pytest.skip(reason(what, remedy))
