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
    from grader.model.run import RunRecord, RunRequest

_LOOK_S = 2.0
"""How long a worker believes in the source it has seen: it may be replaced on disk while the worker lives."""
_ENOUGH_CPU_S, _ENOUGH_S = 0.15, 1.0
"""What programs that came together may take before the rest is left to others: none waits long for a slow one."""
_kept = threading.local()
_looked: dict[str, float] = {"at": -_LOOK_S, "is_same": 1}


def harness_here() -> str:
    """Return the client's harness and Python."""
    return f"{source.own().hex()} {platform.python_version()}"


def join(factory: bytes, harness: str) -> bytes | str:
    """Open a sandbox and return how strong its wall is; a text says why this worker can't work for that client."""
    if _harness() != harness:
        return f"has a maze-grader of other source or another Python ({platform.python_version()})"
    worker = Worker(msgspec.msgpack.decode(factory, type=SandboxFactory))
    try:
        return msgspec.msgpack.encode(worker.isolation)
    finally:
        worker.close()


def run(factory: bytes, asked: list[tuple[bytes, str]], level: str) -> list[bytes | None]:
    """Run requests, one after the other; what hasn't begun after a moment is left to others, and has no answer."""
    answers: list[bytes | None] = []
    until, spent_s = time.monotonic() + _ENOUGH_S, 0.0
    for request, needs in asked:
        if spent_s > _ENOUGH_CPU_S or (answers and time.monotonic() > until):
            break
        record = _run(factory, request, needs, level)
        answers.append(wire.encode(record) if record else None)
        spent_s += record.usage.cpu_s if record else 0.0
    return answers


def _run(factory: bytes, request: bytes, needs: str, level: str) -> RunRecord | None:
    """Run it by this very source, behind a wall that is no weaker, or not at all."""
    asked = wire.decode_request(request)
    worker = _worker(factory)
    is_fit = needed(asked, _harness()) == needs and Level(worker.isolation.level).reaches(Level(level))
    return worker.run(asked) if is_fit else None


def needed(request: RunRequest, harness: str) -> str:
    """Name all source that decides what a run gives: harness, Python, the agent's world, the packages allowed."""
    world = request.how.world if isinstance(request.how, Agent) else ""
    return f"{harness} {_beside(world, request.packages)}"


@cache
def _beside(world: str, packages: tuple[str, ...]) -> str:
    digest = source.digest(source.package_of(world.partition(":")[0])).hex() if world else ""
    return " ".join((digest, *(f"{name}={_release(name)}" for name in packages)))


def _release(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _harness() -> str:
    """Return the harness with which this process began, and its Python; nothing if it was changed since."""
    now = time.monotonic()
    if now - _looked["at"] > _LOOK_S:
        _looked.update(at=now, is_same=source.own_now() == source.own())
    return harness_here() if _looked["is_same"] else ""


def _worker(factory: bytes) -> Worker:
    """Return this thread's worker; another factory closes the one before it."""
    if getattr(_kept, "factory", None) != factory:
        if hasattr(_kept, "worker"):
            _kept.worker.close()
        _kept.worker = Worker(msgspec.msgpack.decode(factory, type=SandboxFactory))
        _kept.factory = factory
    worker: Worker = _kept.worker
    return worker
