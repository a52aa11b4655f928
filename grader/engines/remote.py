"""What a dask worker does: run requests in sandboxes of its own.

Nothing here knows an expectation. Each of the process's threads keeps one Worker warm. A
process whose source isn't the client's refuses every request: marks must not depend on where a case ran. Content
decides, never a version's name.
"""

from __future__ import annotations

import platform
import threading
import time
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

import msgspec

from grader import source
from grader.engines.worker import SandboxFactory, Worker
from grader.model import wire
from grader.model.run import Agent
from grader.model.verdict import Level

if TYPE_CHECKING:
    from grader.model.run import RunRequest

_LOOK_S = 2.0
"""How long a worker believes in the source it has seen: it may be replaced on disk while the worker lives."""
_kept = threading.local()
_seen: list[tuple[float, str]] = []


def harness_here() -> str:
    """Return the client's harness and Python."""
    return f"{source.own().digest.hex()} {platform.python_version()}"


def join(factory: bytes, harness: str) -> bytes | str:
    """Open a sandbox and return how strong its wall is; a text says why this worker can't work for that client."""
    if _harness() != harness:
        return f"has a maze-grader of other source or another Python ({platform.python_version()})"
    worker = Worker(msgspec.msgpack.decode(factory, type=SandboxFactory))
    try:
        return msgspec.msgpack.encode(worker.isolation)
    finally:
        worker.close()


def run(factory: bytes, request: bytes, needs: str, level: str) -> bytes | None:
    """Run it by this very source, behind a wall that is no weaker, or not at all."""
    asked = wire.decode_request(request)
    worker = _worker(factory)
    is_fit = needed(asked, _harness()) == needs and Level(worker.isolation.level).reaches(Level(level))
    return wire.encode(worker.run(asked)) if is_fit else None


def needed(request: RunRequest, harness: str) -> str:
    """Name all source that decides what a run gives: harness, Python, the agent's world, the packages allowed."""
    world = request.how.world if isinstance(request.how, Agent) else ""
    return f"{harness} {_beside(world, request.packages)}"


@cache
def _beside(world: str, packages: tuple[str, ...]) -> str:
    digest = source.Tree(source.package_of(world.partition(":")[0])).digest.hex() if world else ""
    return " ".join((digest, *(f"{name}={_release(name)}" for name in packages)))


def _release(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _harness() -> str:
    """Return the harness with which this process began, and its Python; nothing if it was changed since."""
    if not _seen or time.monotonic() - _seen[-1][0] > _LOOK_S:
        tree = source.Tree(source.OURS)
        is_old = tree.changed_ns < source.begun_ns()
        _seen[:] = [(time.monotonic(), f"{tree.digest.hex()} {platform.python_version()}" if is_old else "")]
    return _seen[-1][1]


def _worker(factory: bytes) -> Worker:
    """Return this thread's worker; another factory closes the one before it."""
    if getattr(_kept, "factory", None) != factory:
        if hasattr(_kept, "worker"):
            _kept.worker.close()
        _kept.worker = Worker(msgspec.msgpack.decode(factory, type=SandboxFactory))
        _kept.factory = factory
    worker: Worker = _kept.worker
    return worker
