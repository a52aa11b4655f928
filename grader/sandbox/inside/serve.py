"""The zygote's loop: fork a case, tell when it has ended, clear up."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Any

from . import warm, wire

if TYPE_CHECKING:
    import _socket

SIGKILL = 9
HANG_UP = 0
"""Asks a poll for nothing but the end of the connection: what is sent on it is for the child."""


def serve(control: _socket.socket, wall: Any) -> list[int]:
    """Serve case after case; give the case's descriptors, in its child only.

    Each child is forked ahead and waits for its case itself, so that a case needn't wait for the fork.
    """
    zygote, alone = os.getpid(), False
    while not alone:
        pid = wall.fork()
        if pid == 0:
            wall.approach(zygote)
            fds = wire.receive_fds(control, 4)
            if not fds:
                os._exit(0)
            control.close()
            return fds
        pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
        wire.send_fd(control, wire.LENGTH.pack(pid), pidfd)
        alone = _await_end(control, pid, pidfd, wall)
    wall.leave()
    os._exit(0)


def _await_end(control: _socket.socket, pid: int, pidfd: int | None, wall: Any) -> bool:
    """Wait for the case's end, or for the supervisor's, whichever is first; tell whether it was the supervisor's."""
    alone, ended = _first(control, pid) if pidfd is None else _first_of_two(control, pidfd)
    if alone and not ended:
        os.kill(pid, SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    warm.tidy()  # wait4 itself imports a module
    swept = wall.clear(pid)
    if not alone:
        control.sendall(wire.STATUS.pack(status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss, swept))
    return alone


def _first_of_two(control: _socket.socket, pidfd: int) -> tuple[bool, bool]:
    """Tell which came: the supervisor's end, the case's end."""
    poll = select.poll()
    poll.register(control.fileno(), HANG_UP)
    poll.register(pidfd, select.POLLIN)
    came = {fd for fd, _ in poll.poll()}
    os.close(pidfd)
    return control.fileno() in came, pidfd in came


def _first(control: _socket.socket, pid: int) -> tuple[bool, bool]:
    """Tell the same without pidfds, by looking every five milliseconds."""
    poll = select.poll()
    poll.register(control.fileno(), HANG_UP)
    while not poll.poll(5):
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return False, True
    return True, False
