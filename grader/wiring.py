"""Turns settings into concrete parts: which sandbox, which engine, which store."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import msgspec

from grader.again.trees import OddError
from grader.engines.open import open_engine as open_engine_at
from grader.engines.recipe import SandboxRecipe
from grader.engines.store import RunStore, default_folder
from grader.engines.stored import StoredEngine
from grader.engines.wall import WallMemory
from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.pipeline.remember import Memory
from grader.policy.shipped import watcher_source
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Engine, Sandbox
    from grader.pipeline.prepare import Plan


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a command line says about how to run."""

    engine: str = "local"
    workers: int = 0
    """0 for one per core."""
    require: Level | None = None
    """The weakest wall that is accepted."""
    fresh: bool = False
    """Run everything again."""
    remember: bool = True
    """Keep records, so that nothing is run twice that didn't change."""


@contextmanager
def open_engine(settings: Settings) -> Iterator[Engine]:
    """Open the engine that the settings ask for, and leave nothing behind."""
    engine: Engine = open_engine_at(settings.engine, recipe=recipe(), workers=settings.workers or None)
    try:
        _demand(engine, settings.require)
        if settings.remember:
            store = RunStore(default_folder())
            wall = WallMemory(store) if _is_here(settings) and not settings.require else None
            engine = StoredEngine(engine, store, fresh=settings.fresh, wall=wall)
        yield engine
    finally:
        engine.close()


def open_memory(engine: Engine, plan: Plan, settings: Settings) -> Memory | None:
    """Give the memory of what was judged before, where it can be trusted: for runs on this machine."""
    if not isinstance(engine, StoredEngine) or not _is_here(settings):
        return None
    try:
        return Memory(plan, engine.store, level=engine.isolation.level, fresh=settings.fresh)
    except (OddError, OSError):
        return None


@contextmanager
def open_one_sandbox(packages: tuple[str, ...]) -> Iterator[Sandbox]:
    """Open a single warm sandbox, for work that goes one puzzle after the other."""
    with closing(open_sandbox(packages=packages, watcher_source=watcher_source())) as sandbox:
        yield sandbox


def recipe() -> SandboxRecipe:
    """Say how a worker, here or on another machine, opens its sandbox."""
    return SandboxRecipe(factory="grader.sandbox.open:open_sandbox", options={"watcher_source": watcher_source()})


def _is_here(settings: Settings) -> bool:
    return settings.engine.startswith("local")


def _demand(engine: Engine, required: Level | None) -> None:
    if required is None:
        return
    level = Level(engine.isolation.level)
    if not level.reaches(required):
        raise SandboxError(
            f"this machine offers the isolation '{level}', and '{required}' was required; nothing was run",
            hint="`grader doctor` says what would raise it",
        )
