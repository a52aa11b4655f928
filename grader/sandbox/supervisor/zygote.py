"""The supervisor's handle on one zygote process."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import SandboxError
from grader.sandbox.inside.loop import wire
from grader.sandbox.inside.python.lay_out import AT_START
from grader.sandbox.protocol import payload
from grader.sandbox.supervisor.users import map_users

if TYPE_CHECKING:
    from grader.sandbox.inside.plan import Plan
    from grader.sandbox.supervisor.zygote_folder import ZygoteFolder

START_S = 30.0
"""A zygote starts in a tenth of a second; on a machine at its limit it may take far longer."""
PATIENCE_S = 5.0
"""For a zygote to kill its case, remove its files and end."""
LOOK_S = 0.001
"""Between two looks whether it has ended; needs no descriptor, of which there may be too few."""


class Waiting(NamedTuple):
    """A child that waits for its case."""

    pidfd: int
    channel: socket.socket
    """The case's own connection: its descriptors and files go there, its frames come from there."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel says of a case's process."""

    status: int
    cpu_s: float
    peak_kib: int
    swept: int


class Zygote:
    """A running zygote: tell it a plan, hand it descriptors, get a process."""

    def __init__(self, home: ZygoteFolder, plan: Plan) -> None:
        """Start it, tell it the plan, and wait until its wall stands and its first child is there."""
        self.home = home
        self._waiting: Waiting | None = None
        self._control, other = socket.socketpair()
        self._control.settimeout(START_S)
        try:
            with other:
                self._control.sendall(payload.frame(plan))
                self.pid, self._complaints = _spawn(home, other.fileno())
        except BaseException:
            self._control.close()
            raise
        try:
            self._settle()
        except BaseException:
            self.close()
            raise

    def _settle(self) -> None:
        with contextlib.suppress(ConnectionError, TimeoutError):  # when it is gone, its complaint says why
            word = self._control.recv(1)
            if word == b"M":
                map_users(self.pid)
                self._control.sendall(b"M")
                word = self._control.recv(1)
            if word == b"R":
                self.ended()
                return
        raise SandboxError(f"The zygote didn't start: {self._complaint()}")

    def _complaint(self) -> str:
        """Return the last line that the zygote wrote, without waiting for one."""
        try:
            lines = os.read(self._complaints, 1 << 16).decode("utf-8", "replace").strip().splitlines()
        except BlockingIOError:
            lines = []
        return lines[-1] if lines else f"it said nothing for {START_S:g} s"

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
        message, fds, flags, _ = socket.recv_fds(self._control, wire.NOTICE.size, 2)
        if len(message) < wire.NOTICE.size:
            raise EOFError(f"the zygote died: {self._complaint()}")
        if len(fds) < 2 or flags & socket.MSG_CTRUNC:
            for fd in fds:
                os.close(fd)
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        status, user_s, system_s, peak_kib, swept = wire.NOTICE.unpack(message)
        channel, pidfd = fds
        self._waiting = Waiting(pidfd, socket.socket(fileno=channel))
        return Ended(status=status, cpu_s=user_s + system_s, peak_kib=peak_kib, swept=swept)

    def close(self) -> None:
        """Let the zygote end by itself, then make sure. Another thread that waits for a case here is woken."""
        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        child, self._waiting = self._waiting, None
        if child is not None:
            child.channel.close()
            os.close(child.pidfd)
        if not _reaped(self.pid, PATIENCE_S):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            _reaped(self.pid, None)
        self._control.close()
        os.close(self._complaints)


def _spawn(home: ZygoteFolder, control: int) -> tuple[int, int]:
    """Start the interpreter with pipes as each case will have them; return its pid and where it complains."""
    pipes: list[int] = []
    try:
        pipes += os.pipe()
        pipes += os.pipe()
        stdin, _, complaints, output = pipes
        os.set_blocking(complaints, False)
        pid = os.posix_spawn(
            home.executable,
            [home.executable, home.boot, str(Path(__file__).parent.parent)],
            home.environment() | AT_START,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, fd, target) for target, fd in enumerate((stdin, output, output, control))
            ],
            setsigmask=[],
            setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGCHLD],
        )
        pipes.remove(complaints)
    finally:
        for fd in pipes:
            os.close(fd)
    return pid, complaints


def _reaped(pid: int, patience_s: float | None) -> bool:
    """Wait for a child's end; False when it takes longer."""
    due = None if patience_s is None else time.monotonic() + patience_s
    with contextlib.suppress(ChildProcessError):
        while due is not None and os.waitpid(pid, os.WNOHANG) == (0, 0):
            if time.monotonic() > due:
                return False
            time.sleep(LOOK_S)
        if due is None:
            os.waitpid(pid, 0)
    return True
