"""Runs only what no stored record answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from grader.engines.digest import RequestDigests
from grader.model.run import RunRecord
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.engines.store import RunStore
    from grader.model.result import Isolation
    from grader.model.run import RunRequest

K = TypeVar("K")


class PassingEngine(Protocol):
    """An engine that hands an item which is a record already straight on, in its turn."""

    @property
    def isolation(self) -> Isolation: ...

    def map(self, requests: Iterable[tuple[K, RunRequest | RunRecord]]) -> Iterator[tuple[K, RunRecord]]: ...

    def close(self) -> None: ...


class StoredEngine:
    """Wraps an engine: a hit is given at once, a miss runs and is kept.

    With `fresh` everything runs, and the new records replace the old. A failure of the sandbox is never kept.
    """

    def __init__(self, engine: PassingEngine, store: RunStore, *, fresh: bool = False) -> None:
        self._engine = engine
        self._store = store
        self._fresh = fresh
        self.hits = 0
        self.runs = 0

    @property
    def isolation(self) -> Isolation:
        return self._engine.isolation

    def map(self, requests: Iterable[tuple[K, RunRequest | RunRecord]]) -> Iterator[tuple[K, RunRecord]]:
        digests = RequestDigests(self.isolation.level)
        for (key, digest), record in self._engine.map(self._answered(requests, digests)):
            if digest is not None and record.ending is not Ending.SANDBOX_FAILED:
                self._store.put(digest, record)
            yield key, record

    def close(self) -> None:
        self._engine.close()
        self._store.close()

    def _answered(
        self, requests: Iterable[tuple[K, RunRequest | RunRecord]], digests: RequestDigests
    ) -> Iterator[tuple[tuple[K, bytes | None], RunRequest | RunRecord]]:
        """Put a stored record in its request's place; the digest goes along where a new record is to be kept."""
        for key, asked in requests:
            if isinstance(asked, RunRecord):
                yield (key, None), asked
                continue
            digest = digests.of(asked)
            stored = None if self._fresh or digest is None else self._store.get(digest)
            if stored is None:
                self.runs += 1
                yield (key, digest), asked
            else:
                self.hits += 1
                yield (key, None), stored
