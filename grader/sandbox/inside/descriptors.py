"""Puts a case's descriptors in their places and closes all others."""

from __future__ import annotations

import os

ABOVE = 50
"""Out of reach of the targets 0 to 3 and of every descriptor that the zygote has or receives."""


def settle(fds: list[int]) -> None:
    """Make the received descriptors 0, 1, 2, 3."""
    for target, fd in enumerate(fds):
        os.dup2(fd, ABOVE + target)  # first out of the way: a target may be another's source
    for target in range(len(fds)):
        os.dup2(ABOVE + target, target, inheritable=target < len(fds) - 1)


def close_others() -> None:
    """Leave nothing of the zygote's open."""
    os.closerange(4, 4096)
