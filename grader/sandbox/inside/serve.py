"""The zygote's loop: fork a case, tell when it has ended, clear up."""

from __future__ import annotations

import os
import select
from typing import TYPE_CHECKING, Any

from . import wire

if TYPE_CHECKING:
    import _socket

SIGKILL = 9


def serve(control: _socket.socket, wall: Any) -> list[int]:
    """Serve case after case; give the case's descriptors, in its child only."""
    while fds := wire.receive_fds(control, 4):
        pid = wall.fork()
        if pid == 0:
            control.close()
            return fds
        for fd in fds:
            os.close(fd)
        _tell_start(control, pid)
        _await_end(control, pid, wall)
    wall.leave()
    os._exit(0)


def _tell_start(control: _socket.socket, pid: int) -> None:
    """Send the case's pid, with a pidfd where the system has them."""
    pidfd = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    wire.send_fd(control, wire.LENGTH.pack(pid), pidfd)
    if pidfd is not None:
        os.close(pidfd)


def _await_end(control: _socket.socket, pid: int, wall: Any) -> None:
    """Wait for the case's end, or for the supervisor's, whichever is first."""
    readable, ended = _first(control, pid)
    if readable and not ended:
        os.kill(pid, SIGKILL)  # the supervisor never speaks while a case runs, so it is gone
    _, status, usage = os.wait4(pid, 0)
    swept = wall.clear(pid)
    if not readable:
        control.sendall(wire.STATUS.pack(status, usage.ru_utime, usage.ru_stime, usage.ru_maxrss, swept))


def _first(control: _socket.socket, pid: int) -> tuple[bool, bool]:
    """Tell which came: the supervisor's end, the case's end."""
    if not hasattr(os, "pidfd_open"):
        return _first_by_asking(control, pid)
    pidfd = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(control.fileno(), select.POLLIN)
    poll.register(pidfd, select.POLLIN)
    came = {fd for fd, _ in poll.poll()}
    os.close(pidfd)
    return control.fileno() in came, pidfd in came


def _first_by_asking(control: _socket.socket, pid: int) -> tuple[bool, bool]:
    """Tell the same without pidfds, by looking every five milliseconds."""
    poll = select.poll()
    poll.register(control.fileno(), select.POLLIN)
    while not poll.poll(5):
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return False, True
    return True, False
