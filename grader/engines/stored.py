"""Runs only what no stored record answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from grader.engines.digest import RequestDigests
from grader.errors import SandboxError
from grader.model.run import RunRecord
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.engines.store import RunStore
    from grader.engines.wall import WallMemory
    from grader.model.result import Isolation
    from grader.model.run import RunRequest
    from grader.model.seams import Engine

K = TypeVar("K")


class StoredEngine:
    """Wraps an engine: a hit is given at once, a miss runs and is kept.

    With `fresh` everything runs, and the new records replace the old. A failure of the sandbox is never kept.
    With `wall` the isolation is the remembered one until something has to run.
    """

    def __init__(
        self, engine: Engine, store: RunStore, *, fresh: bool = False, wall: WallMemory | None = None
    ) -> None:
        self._engine = engine
        self._wall = wall
        self._isolation: Isolation | None = wall.recall() if wall and not fresh else None
        self._is_proven = False
        self._fresh = fresh
        self.store = store
        self.hits = 0
        self.runs = 0

    @property
    def isolation(self) -> Isolation:
        return self._isolation or self._prove()

    def map(self, requests: Iterable[tuple[K, RunRequest | RunRecord]]) -> Iterator[tuple[K, RunRecord]]:
        digests = RequestDigests(self.isolation.level)
        for (key, digest), record in self._engine.map(self._answered(requests, digests)):
            if digest is not None and record.ending is not Ending.SANDBOX_FAILED:
                self.store.put(digest, record)
            yield key, record

    def close(self) -> None:
        self._engine.close()
        self.store.close()

    def _answered(
        self, requests: Iterable[tuple[K, RunRequest | RunRecord]], digests: RequestDigests
    ) -> Iterator[tuple[tuple[K, bytes | None], RunRequest | RunRecord]]:
        """Put a stored record in its request's place; the digest goes along where a new record is to be kept."""
        for key, asked in requests:
            if isinstance(asked, RunRecord):
                yield (key, None), asked
                continue
            digest = digests.of(asked)
            stored = None if self._fresh or digest is None else self.store.get(digest)
            if stored is None:
                self._prove()
                self.runs += 1
                yield (key, digest), asked
            else:
                self.hits += 1
                yield (key, None), stored

    def _prove(self) -> Isolation:
        """Have the engine build its wall; one that isn't the remembered one must not go on under its name."""
        if self._isolation is None or not self._is_proven:
            before, self._isolation, self._is_proven = self._isolation, self._engine.isolation, True
            if self._wall and before != self._isolation:
                self._wall.remember(self._isolation)
            if before is not None and before != self._isolation:
                raise SandboxError(
                    f"the isolation here is '{self._isolation.level}' now, and not what it was at the last grade",
                    hint="Start the same command again: it takes the wall as it is.",
                )
        return self._isolation
