"""The wall without namespaces and without root: Landlock for files, the filter for all else.

Order matters: session, user, limits, no new rights, Landlock; the filter last, for it refuses the calls before it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import (
    filter,  # noqa: A004 -- the kernel's word for it
    landlock,
    linux,
    rlimits,
    sweep,
)
from .container import DEVICES

if TYPE_CHECKING:
    import _socket

    from ..plan import Case, Enclosure, Ids

TRUNCATE_SINCE = 3
"""Landlock's version that governs truncation."""


class Confined:
    """Each case is a session of its own, on the machine's file system; its folder is emptied after it."""

    def __init__(self, enclosure: Enclosure) -> None:
        self.box = enclosure["box"]
        self.ids = enclosure["ids"]
        self._readable: list[str] = [
            *enclosure["readable"],
            *enclosure["packages"],
            *enclosure["package_folders"],
        ]

    def prepare(self, _control: _socket.socket) -> None:
        """Once per zygote: adopt orphans, so that no case leaves a process, and make what cases take on."""
        linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
        self._folder = os.open(self.box, sweep.FOLDER)  # whatever becomes of its name, this is what is emptied
        version = linux.landlock_version()
        self._ruleset = landlock.build(version, readable=self._readable, devices=list(DEVICES), own=self.box)
        self._program = filter.build(
            metadata=self.ids is not None,  # a user of its own has no file outside that it could change
            truncate=version >= TRUNCATE_SINCE,
        )

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
        linux.die_with_parent()
        if os.getppid() != self._zygote:
            os._exit(0)

    def enclose(self, case: Case) -> None:
        """Once per case, in its process."""
        os.setsid()
        become(self.ids)
        rlimits.apply(case["limits"])
        if self.ids is not None:
            linux.prctl(linux.PR_SET_DUMPABLE, 0)  # else the supervisor couldn't count the files that it holds
        self._hold_on()
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        linux.landlock_restrict(self._ruleset)
        os.close(self._ruleset)
        self._program.load(os.getpid())

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
    if ids["keep_reading"]:
        linux.prctl(linux.PR_SET_KEEPCAPS, 1)
    os.setgroups([])
    os.setresgid(ids["id"], ids["id"], ids["id"])
    os.setresuid(ids["id"], ids["id"], ids["id"])
    if ids["keep_reading"]:
        linux.set_capabilities(linux.CAP_DAC_READ_SEARCH)
