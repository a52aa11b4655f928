"""Turns settings into concrete parts: which sandbox, which engine, which store."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import msgspec

from grader.engines.open import open_engine as open_engine_at
from grader.engines.recipe import SandboxRecipe
from grader.engines.store import RunStore, default_folder
from grader.engines.stored import StoredEngine
from grader.errors import SandboxError
from grader.model.verdict import Level
from grader.policy.shipped import watcher_source
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.engines.stored import PassingEngine
    from grader.model.seams import Engine, Sandbox


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
    engine: PassingEngine = open_engine_at(settings.engine, recipe=recipe(), workers=settings.workers or None)
    try:
        _demand(engine, settings.require)
        if settings.remember:
            engine = StoredEngine(engine, RunStore(default_folder()), fresh=settings.fresh)
        yield engine
    finally:
        engine.close()


@contextmanager
def open_one_sandbox(packages: tuple[str, ...]) -> Iterator[Sandbox]:
    """Open a single warm sandbox, for work that goes one puzzle after the other."""
    with closing(open_sandbox(packages=packages, watcher_source=watcher_source())) as sandbox:
        yield sandbox


def recipe() -> SandboxRecipe:
    """Say how a worker, here or on another machine, opens its sandbox."""
    return SandboxRecipe(factory="grader.sandbox.open:open_sandbox", options={"watcher_source": watcher_source()})


def _demand(engine: Engine, required: Level | None) -> None:
    if required is None:
        return
    level = Level(engine.isolation.level)
    if not level.reaches(required):
        raise SandboxError(
            f"this machine offers the isolation '{level}', and '{required}' was required; nothing was run",
            hint="`grader doctor` says what would raise it",
        )
