"""Remembers which wall this machine offers, while nothing it hangs on changes."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import grader
from grader.again.machine import machine
from grader.again.trees import Inventory
from grader.model.result import Isolation

if TYPE_CHECKING:
    from grader.engines.store import RunStore

FORMAT = 1  # of what is kept; 1: the first


class WallMemory:
    """The wall that was found by trying, kept for kernel, boot, user, rights, Python and the sandbox's source."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        source = Inventory((str(Path(grader.__file__).parent / "sandbox"),), follow=True)
        self._digest = blake2b(b"wall %d" % FORMAT + machine() + source.digest, digest_size=20).digest()

    def recall(self) -> Isolation | None:
        return self._store.find(self._digest, msgspec.msgpack.Decoder(Isolation).decode)

    def remember(self, isolation: Isolation) -> None:
        self._store.keep(self._digest, msgspec.msgpack.encode(isolation))
