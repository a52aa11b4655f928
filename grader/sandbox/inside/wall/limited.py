"""The portable wall: own session, own user where we are root, limits. Nothing more."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from . import rlimits, sweep

if sys.platform == "linux":
    from . import linux

if TYPE_CHECKING:
    import _socket

    from ..plan import Case, Enclosure, Ids


class Limited:
    """Each case is a session of its own with limits; it can still read files and use the network."""

    ready = b"W"

    def __init__(self, enclosure: Enclosure) -> None:
        self.box = enclosure["box"]
        self.ids = enclosure["ids"]

    def prepare(self, _control: _socket.socket) -> None:
        """Once per zygote: adopt orphans, so that no case leaves a process."""
        if sys.platform == "linux":
            linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self._folder = os.open(self.box, sweep.FOLDER)  # whatever becomes of its name, this is what is emptied

    def furnish(self, _disk_mib: int) -> None:
        """Do nothing: a case shares the machine's disk."""

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

    def enclose(self, case: Case) -> None:
        """Once per case, in its process."""
        os.setsid()
        become(self.ids)
        self._hold_on()
        if sys.platform == "linux":
            linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        rlimits.apply(case["limits"])

    def clear(self, pid: int, waiting: int) -> int:
        """After each case, in the zygote: nothing survives but the next child; return how many were swept."""
        sweep.kill_group(pid)
        count = sweep.kill_orphans(waiting)
        sweep.empty(self._folder)
        return count

    def leave(self) -> None:
        """When the supervisor is gone: take the private folder away too."""
        sweep.remove(os.path.dirname(self.box))


def become(ids: Ids | None) -> None:
    """Become the case's user. Where others may not read the interpreter, keep the right to read, and only that."""
    if ids is None:
        return
    keep = ids["keep_reading"] and sys.platform == "linux"
    if keep:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(ids["id"], ids["id"], ids["id"])
    os.setresuid(ids["id"], ids["id"], ids["id"])
    if keep:
        linux.set_capabilities(linux.CAP_DAC_READ_SEARCH)
