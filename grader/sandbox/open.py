"""Opens the sandbox that was asked for, or the strongest there is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.model.result import Isolation
from grader.model.verdict import Level

if TYPE_CHECKING:
    from grader.model.seams import Sandbox


def open_sandbox(level: Level | None = None, *, packages: tuple[str, ...] = (), watcher_source: str = "") -> Sandbox:
    """Give a sandbox of this level, or of the strongest that holds here; refuse a level that doesn't hold."""
    from grader.sandbox.forking import ForkingSandbox  # noqa: PLC0415 -- keeps importing this room cheap

    if os.name != "posix":
        raise SandboxError("No sandbox on this system.", hint="Linux, macOS and WSL have one.")
    if level not in {None, Level.LIMITED}:
        raise SandboxError(f"The level {level} doesn't hold here.")
    _ = packages, watcher_source
    return ForkingSandbox(Level.LIMITED, Isolation(level=Level.LIMITED.value))
