"""Opens the sandbox that was asked for, or the strongest there is; without a wall where none holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.errors import SandboxError
from grader.model.verdict import Level

if TYPE_CHECKING:
    from grader.model.seams import Sandbox


def open_sandbox(
    level: Level | None = None,
    *,
    packages: tuple[str, ...] = (),
    watcher_source: str = "",
    first: tuple[tuple[str, ...], int] | None = None,
) -> Sandbox:
    """Return a sandbox of this level, or of the strongest that holds here; refuse a level that doesn't hold.

    `packages` are third-party packages that students may import. `watcher_source` is the text of a module with
    `prepare(modules)`, run once in the zygote, and `begin(watch, report)`, run in each child first. `first` names
    the watched modules and MiB of disk of the first case: the wall is then proved in the zygote that serves it.
    """
    from grader.sandbox import levels  # noqa: PLC0415 -- keeps importing this room cheap
    from grader.sandbox.portable.sandbox import PortableSandbox  # noqa: PLC0415 -- the same
    from grader.sandbox.supervisor import shortage  # noqa: PLC0415 -- the same
    from grader.sandbox.supervisor.sandbox import ForkingSandbox  # noqa: PLC0415 -- the same

    shortage.refuse()
    if level is None:
        proven = levels.prove(watcher_source, tuple(first[0]), first[1]) if first and not packages else None
        if proven is not None:
            return proven
        isolation = levels.probe()
        level = Level(isolation.level)
    elif level is Level.NONE:
        isolation = levels.statement(level, "no wall was asked for")
    else:
        failure = levels.try_level(level)
        if failure is not None:
            raise SandboxError(f"Level {level} doesn't hold here: {failure.why}", hint="Ask `grader doctor`.")
        isolation = levels.statement(level, "a weaker level was asked for")
    if level is Level.NONE:
        return PortableSandbox(watcher_source=watcher_source, isolation=isolation)
    return ForkingSandbox(level, isolation, packages=packages, watcher_source=watcher_source)
