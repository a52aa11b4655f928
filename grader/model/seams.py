"""The one-method seams behind which sandboxes and engines can be exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.result import Isolation
    from grader.model.run import RunRecord, RunRequest

K = TypeVar("K")


class Sandbox(Protocol):
    """Runs one request at a time behind a wall; not shared between threads."""

    @property
    def isolation(self) -> Isolation: ...

    def run(self, request: RunRequest) -> RunRecord:
        """Run it and tell what happened; a broken mechanism is `sandbox_failed`, never an exception."""
        ...

    def close(self) -> None:
        """Leave no process, mount or file behind."""
        ...


class Engine(Protocol):
    """Runs many requests, in any order."""

    @property
    def isolation(self) -> Isolation: ...

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Yield each record as it comes, with its request's key; draws requests lazily.

        None among the requests says that there is nothing to run before another record has come back.
        """
        ...

    def close(self) -> None: ...
