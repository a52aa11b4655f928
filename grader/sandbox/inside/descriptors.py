"""Puts a case's descriptors in their places and closes all others."""

from __future__ import annotations

import os

from . import wire


def settle(streams: list[int], channel: int) -> None:
    """Make these the standard streams and the channel.

    Each is moved once, for none lies where an earlier one goes: the zygote's own streams were there until now.
    """
    for target, fd in enumerate(streams):
        os.dup2(fd, target)
    os.dup2(channel, wire.CHANNEL, inheritable=False)


def close_others() -> None:
    """Leave nothing of the zygote's open."""
    os.closerange(wire.CHANNEL + 1, 4096)
