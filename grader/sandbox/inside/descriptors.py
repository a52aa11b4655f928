"""Puts a case's descriptors in their places and closes all others."""

from __future__ import annotations

import fcntl
import os

ABOVE = 50
"""Out of reach of the targets 0 to 3 and of the zygote's own few descriptors."""


def settle(fds: list[int]) -> None:
    """Make the received descriptors 0, 1, 2, 3."""
    lifted = [fcntl.fcntl(fd, fcntl.F_DUPFD, ABOVE) for fd in fds]  # a target may be another's source
    for target, fd in enumerate(lifted):
        os.dup2(fd, target, inheritable=target < len(fds) - 1)


def close_others() -> None:
    """Leave nothing of the zygote's open."""
    os.closerange(4, 4096)
