"""What a dask worker does: run requests in sandboxes of its own.

Nothing here knows an expectation. Each of the worker's threads keeps one cell warm as long as the worker lives.
"""

from __future__ import annotations

import fcntl
import os
import platform
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from grader.engines import wire
from grader.engines.cell import Cell
from grader.engines.recipe import SandboxRecipe
from grader.engines.station import describe
from grader.engines.store import default_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

_kept = threading.local()


def this_station(recipe: bytes) -> bytes:
    """Open a sandbox, and tell what this worker is."""
    cell = Cell(msgspec.msgpack.decode(recipe, type=SandboxRecipe))
    try:
        return msgspec.msgpack.encode(describe(cell.isolation))
    finally:
        cell.close()


def run(recipe: bytes, request: bytes) -> bytes:
    return wire.encode(_cell(recipe).run(wire.decode_request(request)))


def run_alone(recipe: bytes, request: bytes) -> bytes:
    """Run it while no other confirmation runs on this host."""
    with _alone_on_host():
        return run(recipe, request)


def _cell(recipe: bytes) -> Cell:
    """Give this thread's cell; another recipe closes the one before it."""
    if getattr(_kept, "recipe", None) != recipe:
        if hasattr(_kept, "cell"):
            _kept.cell.close()
        _kept.cell = Cell(msgspec.msgpack.decode(recipe, type=SandboxRecipe))
        _kept.recipe = recipe
    cell: Cell = _kept.cell
    return cell


@contextmanager
def _alone_on_host() -> Iterator[None]:
    """Hold a lock of this user on this host; a home shared by many hosts has one for each."""
    folder = default_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"alone-{platform.node()}.lock"
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
