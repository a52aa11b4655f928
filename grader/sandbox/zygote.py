"""The supervisor's handle on one zygote process."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.errors import SandboxError
from grader.sandbox import payload
from grader.sandbox.inside import wire
from grader.sandbox.users import map_users

if TYPE_CHECKING:
    from grader.sandbox.home import Home

START_S = 30.0
"""A zygote starts in a tenth of a second; on a machine at its limit it may take far longer."""
PATIENCE_S = 5.0
"""For a zygote to kill its case, remove its files and end."""
BIND_NOW = {"LD_BIND_NOW": "1"}
"""Has the loader look up every symbol at the zygote's start, and not each child again those that it uses."""


class Waiting(NamedTuple):
    """A child that waits for its case."""

    pid: int
    pidfd: int | None
    channel: socket.socket
    """The case's own connection: its descriptors and files go there, its frames come from there."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel says of a case's process."""

    status: int
    cpu_s: float
    peak_kib: int
    swept: int


class Zygote:
    """A running zygote: hand it descriptors, get a process."""

    def __init__(self, home: Home, plan: dict[str, Any]) -> None:
        self.home = home
        self._control, other = socket.socketpair()
        self._control.settimeout(START_S)
        self._complaints, writing = os.pipe()
        self._waiting: Waiting | None = None
        self.pid = _spawn(home, other.fileno(), writing)
        other.close()
        os.close(writing)
        try:
            self._control.sendall(payload.frame(plan))
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        with contextlib.suppress(ConnectionError, EOFError):
            word = self._control.recv(1)
            if word == b"M":
                map_users(self.pid)
                self._control.sendall(b"M")
                word = self._control.recv(1)
            if word == b"R":
                self.ended()
                return
        last = os.read(self._complaints, 1 << 16).decode("utf-8", "replace").strip().splitlines()[-1:]
        raise SandboxError(f"The zygote didn't start: {''.join(last)}")

    def fileno(self) -> int:
        return self._control.fileno()

    def take_child(self) -> Waiting:
        """Take the child that waits for a case; the zygote forks the next one meanwhile."""
        self._control.sendall(b"N")
        child, self._waiting = self._waiting, None
        if child is None:
            raise EOFError("the zygote was closed by another thread")
        return child

    def ended(self) -> Ended:
        """Read of a case's end, and take over the next child; to be called when `fileno` is readable."""
        message, fds, _, _ = socket.recv_fds(self._control, wire.MESSAGE.size, 2)
        if len(message) < wire.MESSAGE.size or not fds:
            raise EOFError("the zygote died")
        pid, status, user_s, system_s, peak_kib, swept = wire.MESSAGE.unpack(message)
        channel, *pidfds = fds
        self._waiting = Waiting(pid, pidfds[0] if pidfds else None, socket.socket(fileno=channel))
        return Ended(status=status, cpu_s=user_s + system_s, peak_kib=peak_kib, swept=swept)

    def close(self) -> None:
        """Let the zygote end by itself, then make sure. Another thread that waits for a case here is woken."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        child, self._waiting = self._waiting, None
        if child is not None:
            child.channel.close()
            if child.pidfd is not None:
                os.close(child.pidfd)
        if not _reaped(self.pid, PATIENCE_S):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            _reaped(self.pid, None)
        self._control.close()
        os.close(self._complaints)


def _spawn(home: Home, control: int, complaints: int) -> int:
    """Start the interpreter with pipes for standard streams, as each case will have them."""
    reading, writing = os.pipe()
    places = [(reading, 0), (complaints, 1), (complaints, 2), (control, 3)]
    try:
        return os.posix_spawn(
            home.executable,
            [home.executable, home.boot, str(Path(__file__).parent)],
            home.environment() | BIND_NOW,
            file_actions=[(os.POSIX_SPAWN_DUP2, fd, target) for fd, target in places],
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD],
        )
    finally:
        os.close(reading)
        os.close(writing)


def _reaped(pid: int, patience_s: float | None) -> bool:
    """Wait for a child's end; False when it takes longer."""
    if patience_s is not None and hasattr(os, "pidfd_open"):
        pidfd = os.pidfd_open(pid)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        ready = poll.poll(patience_s * 1000)
        os.close(pidfd)
        if not ready:
            return False
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
    return True
