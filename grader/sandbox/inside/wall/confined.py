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
)
from .container import DEVICES
from .limited import Limited, become

if TYPE_CHECKING:
    import _socket

    from ..plan import Case, Enclosure

TRUNCATE_SINCE = 3
"""Landlock's version that governs truncation."""


class Confined(Limited):
    """Adds Landlock and the filter to the portable wall; clears up after a case in the same way."""

    def __init__(self, enclosure: Enclosure) -> None:
        super().__init__(enclosure)
        self._readable: list[str] = [
            *enclosure["readable"],
            *enclosure["packages"],
            *enclosure["package_folders"],
        ]

    def prepare(self, control: _socket.socket) -> None:
        super().prepare(control)
        version = linux.landlock_version()
        self._ruleset = landlock.build(version, readable=self._readable, devices=list(DEVICES), own=self.box)
        self._program = filter.build(
            metadata=self.ids is not None,  # a user of its own has no file outside that it could change
            truncate=version >= TRUNCATE_SINCE,
        )

    def enclose(self, case: Case) -> None:
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
