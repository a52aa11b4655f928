"""Starts a zygote before anything is known of its cases: it builds its wall while the grader itself still loads."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.sandbox.supervisor import enclosure, interpreter, shortage, warm_modules
from grader.sandbox.supervisor.zygote import Zygote
from grader.sandbox.supervisor.zygote_folder import ZygoteFolder

if TYPE_CHECKING:
    from grader.sandbox.inside.plan import First

_started: list[Zygote] = []
"""At most one, for the first sandbox of the strongest level without packages."""


def start(watcher_source: str) -> None:
    """Start it; where that fails, whoever needs a zygote will find out why."""
    if sys.platform != "linux":  # where no level takes it
        return
    with contextlib.suppress(OSError, SandboxError):
        shortage.refuse()
        home = ZygoteFolder(interpreter.find(), owner=None, container=True)
        try:
            around = enclosure.of(Level.ISOLATED, home, ids=None, packages=())
            first: First = {"enclosure": around, "warm": warm_modules.LIGHT, "watcher_source": watcher_source}
            _started.append(Zygote(home, first))
        except BaseException:
            home.remove()
            raise


def take() -> Zygote | None:
    """Give the zygote that was started ahead, if there is one and nobody has it yet."""
    return _started.pop() if _started else None


def drop() -> None:
    """End it if nobody took it."""
    zygote = take()
    if zygote is not None:
        zygote.close()
        zygote.home.remove()
