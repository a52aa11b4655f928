"""The name under which a run's record is kept.

Two requests have the same digest only if they would run alike: the same files, input and limits, the same harness
and its source, the same Python, the same wall, and for an agent the same world.
"""

from __future__ import annotations

import platform
import sys
from collections import OrderedDict
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import grader
from grader.model.run import Agent, RunRequest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import File

FORMAT = 1  # of the digest; 1: the first
_SIZE = 20
_LARGE = 1 << 14  # contents from here on are hashed once, not once per request
_KEPT = 64

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def fingerprint(level: str) -> bytes:
    """Digest everything but the request that decides what a run gives: harness, Python, machine, wall."""
    package = Path(grader.__file__).parent
    parts = (FORMAT, grader.__version__, sys.implementation.name, sys.version, platform.machine(), level)
    folders = (package / "sandbox", package / "policy", package / "model")  # policy has the watcher of the child
    sources = _sources_of(path for folder in folders for path in sorted(folder.rglob("*.py")))
    return blake2b(_encode(parts) + sources, digest_size=_SIZE).digest()


class RequestDigests:
    """Digests requests of one fingerprint; large contents that come again and again are hashed once."""

    def __init__(self, level: str) -> None:
        self._seed = blake2b(fingerprint(level), digest_size=_SIZE)
        self._known: OrderedDict[int, tuple[bytes, bytes]] = OrderedDict()

    def of(self, request: RunRequest) -> bytes | None:
        """Give the request's digest; None when it holds something that has no plain form."""
        state = self._seed.copy()
        bare = msgspec.structs.replace(request, files=(), inputs=())
        files, inputs = (tuple(map(self._named, kept)) for kept in (request.files, request.inputs))
        try:
            state.update(_encode((bare, files, inputs, tuple(map(_release, request.packages)))))
            if isinstance(request.how, Agent):
                state.update(_world(request.how.world))
        except (OverflowError, RecursionError, TypeError, ValueError, ImportError):
            return None
        return state.digest()

    def _named(self, file: File) -> tuple[str, bytes]:
        content = file.content
        if len(content) < _LARGE:
            return file.path, blake2b(content, digest_size=_SIZE).digest()
        known = self._known.get(id(content))  # the entry holds the content, so no other can take its id
        if known is None:
            known = self._known[id(content)] = (content, blake2b(content, digest_size=_SIZE).digest())
            if len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return file.path, known[1]


@cache
def _world(path: str) -> bytes:
    """Digest the source of an agent's world and of the modules beside it."""
    spec = find_spec(path.partition(":")[0])
    if spec is None or spec.origin is None:
        raise ImportError(path)
    return _sources_of(sorted(Path(spec.origin).parent.glob("*.py")))


@cache
def _release(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow to import, seldom needed

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _sources_of(paths: Iterable[Path]) -> bytes:
    state = blake2b(digest_size=_SIZE)
    for path in paths:
        state.update(_encode((path.name, path.read_bytes())))
    return state.digest()
