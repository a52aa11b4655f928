"""The portable wall: own session, own user where we are root, limits. Nothing more."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from . import identity, limits, sweep

if sys.platform == "linux":
    from . import linux

if TYPE_CHECKING:
    import _socket


class Limited:
    """Each case is a session of its own with limits; it can still read files and use the network."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.box: str = plan["box"]
        self.ids: dict[str, Any] | None = plan["ids"]

    def prepare(self, _control: _socket.socket) -> None:
        """Once per zygote: adopt orphans, so that no case leaves a process."""
        if sys.platform == "linux":
            linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)

    def fork(self) -> int:
        return os.fork()

    def approach(self, zygote: int) -> None:
        """Once per case, in its process, before anything is known of it."""
        self._zygote = zygote
        self._hold_on()

    def _hold_on(self) -> None:
        """Die with the zygote, also if it is dead already; changing the user ends this, so it comes twice."""
        if sys.platform == "linux":
            linux.die_with_parent()
        if os.getppid() != self._zygote:
            os._exit(0)

    def enclose(self, case: dict[str, Any]) -> None:
        """Once per case, in its process."""
        os.setsid()
        identity.change(self.ids)
        self._hold_on()
        if sys.platform == "linux":
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        limits.apply(case["limits"])

    def clear(self, pid: int, waiting: int) -> int:
        """After each case, in the zygote: nothing survives but the next child; give the number of processes swept."""
        sweep.kill_group(pid)
        count = sweep.kill_orphans(waiting)
        sweep.empty(self.box)
        return count

    def leave(self) -> None:
        """When the supervisor is gone: take the private folder away too."""
        folder = os.path.dirname(self.box)
        sweep.empty(folder)
        os.rmdir(folder)
