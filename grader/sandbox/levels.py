"""Says which wall holds on this machine, by trying it: a program reads a file, calls a socket, starts a process.

Versions aren't read. What a level is called, what it lacks and what would raise it stands here, too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import socket
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import SandboxError
from grader.model.result import Isolation
from grader.model.run import File, Limits, Program, RunRequest
from grader.model.verdict import Ending, Level
from grader.sandbox.inside.wall.numbers import CALLS
from grader.sandbox.supervisor.sandbox import ForkingSandbox
from grader.sandbox.supervisor.zygote_folder import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

STRONGEST_FIRST = (Level.ISOLATED, Level.CONFINED)
_TRIED: dict[Level, Failure | None] = {}
"""What was found out in this process."""
_NO_SUCH = {errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENODEV}
_ERRNO = re.compile(r"\[Errno (\d+)\]")
_ALWAYS = ("resource limits", "wall clock", "output caps", "clean environment", "own session")
_CALLS = ("no new privileges", "Landlock", "seccomp allow-list")
_NAMESPACES = (
    *("user namespace", "pid namespace", "mount namespace with a read-only root"),
    *("network namespace without interfaces", "ipc namespace", "uts namespace", "cgroup namespace"),
)
MECHANISMS = {
    Level.NONE: _ALWAYS,
    Level.CONFINED: (*_ALWAYS, *_CALLS, "disk watch"),
    Level.ISOLATED: (*_ALWAYS, *_NAMESPACES, "tmpfs with size and inode limits", "no capabilities", *_CALLS),
}
"""What holds at each level when nothing is missing."""

LACKS = {
    Level.CONFINED: (
        "namespaces",
        "A program can see that a file exists, though not read it, and its disk use is watched, not walled.",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 user.max_user_namespaces=10000",
    ),
    Level.NONE: (
        "a wall",
        (
            "A program runs with your own rights: it can read your files, use the network and start other programs. "
            "Nothing gives marks here unless this is accepted by name."
        ),
        (
            "Linux 5.13 or newer with Landlock (boot with lsm=landlock,…) and seccomp; on macOS use a Linux machine, "
            "a virtual machine or Docker"
        ),
    ),
}
"""What a level lacks to the next, what that means for students and staff, and what raises it: a command, if any."""
_LIMITS = Limits(cpu_s=5, wall_s=20, memory_mib=64, output_mib=1)


_PROGRAM = b"""\
import os, sys
from _socket import socket  # the module around it takes longer to load than all the rest
folder, port, pid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

def attempt(name, deed):
    try:
        deed()
    except OSError:
        return
    print(name)

def child():
    if os.fork() == 0:
        os._exit(0)

def call():
    peer = socket()
    peer.settimeout(1)
    peer.connect(("127.0.0.1", port))

attempt("file", lambda: open(folder + "/canary").read())
attempt("write", lambda: open(folder + "/new", "w"))
attempt("network", call)
attempt("process", child)
attempt("signal", lambda: os.kill(pid, 0))
print("end")
"""
"""Runs as an ordinary case: what it reaches is what a student would reach."""


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
        sandbox = ForkingSandbox(level, _isolation(level, ""), warm=())
        try:
            _TRIED[level] = _try(sandbox)
        finally:
            sandbox.close()
    return _TRIED[level]


def prove(watcher_source: str, watch: tuple[str, ...], disk_mib: int) -> ForkingSandbox | None:
    """Return a sandbox of the strongest level, tried in the zygote that serves such cases; None if tried before."""
    if _TRIED or not _is_known_linux():
        return None
    level = STRONGEST_FIRST[0]
    sandbox = ForkingSandbox(level, statement(level, ""), watcher_source=watcher_source)
    _TRIED[level] = _try(sandbox, watch, disk_mib)
    if _TRIED[level] is None:
        return sandbox
    sandbox.close()
    return None


def _try(sandbox: ForkingSandbox, watch: tuple[str, ...] = (), disk_mib: int = 1) -> Failure | None:
    level = sandbox.level
    try:
        escaped = _escapes(sandbox, watch, disk_mib)
    except (OSError, SandboxError) as error:
        return Failure(level=level, why=str(error), is_lack=_is_lack(str(error)))
    return Failure(level=level, why=f"the wall let through: {', '.join(escaped)}") if escaped else None


def _is_lack(why: str) -> bool:
    """Tell whether the kernel said that there is no such thing here, or that we may not."""
    found = _ERRNO.findall(why)
    if found and int(found[-1]) == errno.ENOSPC:  # of namespaces: none are allowed, or all are in use
        most = Path("/proc/sys/user/max_user_namespaces")
        return "unshare" in why and most.exists() and most.read_text().strip() == "0"
    return bool(found) and int(found[-1]) in _NO_SUCH


def statement(level: Level, why: str) -> Isolation:
    """Return what holds at a level that was tried."""
    if sys.platform != "linux":
        return _isolation(level, why, memory=sys.platform != "darwin")
    from grader.sandbox.inside.wall import linux  # noqa: PLC0415 -- only Linux has its calls

    return _isolation(level, why, landlock=linux.landlock_version() > 0)


def _is_known_linux() -> bool:
    return sys.platform == "linux" and os.uname().machine in CALLS


def _escapes(sandbox: Sandbox, watch: tuple[str, ...], disk_mib: int) -> tuple[str, ...]:
    """Return the names of the attempts that got through; raise when the case itself fails."""
    with _bait() as (folder, port):
        how = Program(main="canary.py", argv=(folder, str(port), str(os.getpid())))
        limits = msgspec.structs.replace(_LIMITS, disk_mib=disk_mib)
        files = (File(path="canary.py", content=_PROGRAM),)
        record = sandbox.run(RunRequest(how=how, files=files, limits=limits, watch=watch))
    words = record.stdout.content().decode().split()
    if record.ending is not Ending.EXITED or words[-1:] != ["end"]:
        raise OSError(record.detail or f"the canary case ended as {record.ending}")
    return tuple(words[:-1])


@contextlib.contextmanager
def _bait() -> Iterator[tuple[str, int]]:
    """Lay out a file that anyone may read in a folder that anyone may write, and a socket that listens."""
    scratch = Scratch()
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            scratch.path.chmod(0o777)
            (scratch.path / "canary").write_text(os.urandom(16).hex())
            yield str(scratch.path), server.getsockname()[1]
    finally:
        scratch.remove()


def _isolation(level: Level, why: str, *, landlock: bool = True, memory: bool = True) -> Isolation:
    """Return the statement for results and people: level, mechanisms, and each gap with its reason and remedy."""
    missing = [_gap(what, why, means, remedy) for lack, (what, means, remedy) in LACKS.items() if lack is level]
    mechanisms = [name for name in MECHANISMS[level] if landlock or name != "Landlock"]
    if level is Level.ISOLATED and not landlock:
        missing.append(
            _gap("Landlock", "the kernel has none", "One layer of two for files is missing; the other holds.")
        )
    if not memory:
        missing.append(_gap("memory limit", "the system has no RLIMIT_AS", "A program can use all of the memory."))
    return Isolation(level=level.value, mechanisms=tuple(mechanisms), missing=tuple(missing))


def _gap(what: str, why: str, consequence: str, remedy: str = "") -> dict[str, str]:
    return {"what": what, "why": why, "consequence": consequence, "remedy": remedy}
