"""The zygote's loop: keep a child waiting, tell when a case has ended, clear up.

The next child is forked while a case runs, and waits on a socket of its own, whose other end the supervisor gets. So
a case waits neither for the fork nor for the pages that a new process touches first.
"""

from __future__ import annotations

import _socket
import contextlib
import os
import select
from typing import Any

from . import wire

SIGKILL = 9
HANG_UP = 0
"""Asks a poll for nothing but the end of the connection."""


def serve(control: _socket.socket, wall: Any) -> _socket.socket:
    """Serve case after case; come back in a child only, with the socket on which its case will come."""
    children = _Children(control, wall)
    channel = children.fork()
    if channel is None:
        children.tell(wire.NOTHING)
    while channel is None and _is_wanted(control):
        running = children.waiting
        channel = children.fork()
        if channel is None:
            children.await_end(running)
    if channel is None:
        children.leave()
    assert channel is not None
    return channel


class _Children:
    """One child that waits for its case, and at most one whose case runs."""

    def __init__(self, control: _socket.socket, wall: Any) -> None:
        self._control = control
        self._wall = wall
        self.waiting = (0, -1)
        """Its pid and its pidfd."""
        self._other_end: _socket.socket

    def fork(self) -> _socket.socket | None:
        """Fork a child that waits; in the child give the socket on which it does."""
        ours, self._other_end = _socket.socketpair()
        pid = self._wall.fork()
        if pid == 0:
            self._other_end.close()
            self._control.close()
            return ours
        ours.close()
        self.waiting = (pid, os.pidfd_open(pid))
        return None

    def tell(self, end: tuple[float, ...]) -> None:
        """Tell the supervisor how a case ended, and hand over the child that waits: one message wakes it once."""
        _, pidfd = self.waiting
        with contextlib.suppress(OSError):  # the supervisor is gone, and the next look will tell
            wire.send_fds(self._control, wire.NOTICE.pack(*end), [self._other_end.fileno(), pidfd])
        self._other_end.close()

    def await_end(self, running: tuple[int, int]) -> None:
        """Wait for the case's end and tell it; leave if the supervisor's end is first."""
        pid, pidfd = running
        if not _is_readable_first(self._control, pidfd):
            os.kill(pid, SIGKILL)
            os.waitpid(pid, 0)
            self.leave()
        _, status, usage = os.wait4(pid, 0)
        try:
            swept = self._wall.clear(pid, self.waiting[0])
        except OSError:
            swept = wire.NOT_SWEPT
        self.tell((status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss, swept))

    def leave(self) -> None:
        """End with the supervisor, and leave nothing behind."""
        pid, _ = self.waiting
        os.kill(pid, SIGKILL)
        os.waitpid(pid, 0)
        with contextlib.suppress(OSError):  # what can't be removed now, the next run of the grader finds
            self._wall.clear(pid, 0)
            self._wall.leave()
        os._exit(0)


def _is_wanted(control: _socket.socket) -> bool:
    """Wait until the supervisor has given the waiting child its case; False when it is gone."""
    try:
        return bool(control.recv(1))
    except OSError:
        return False


def _is_readable_first(control: _socket.socket, pidfd: int) -> bool:
    """Tell whether the case has ended, and not the supervisor."""
    poll = select.poll()
    poll.register(control.fileno(), HANG_UP)
    poll.register(pidfd, select.POLLIN)
    came = [fd for fd, _ in poll.poll()]
    os.close(pidfd)
    return pidfd in came
