"""Draws requests one at a time, for any engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import RunRequest

K = TypeVar("K")


class Source(Generic[K]):
    """Requests that may pause: None says that there is nothing to run before another record has come back."""

    def __init__(self, requests: Iterable[tuple[K, RunRequest] | None]) -> None:
        self._requests = iter(requests)
        self.is_over = False

    def draw(self) -> tuple[K, RunRequest] | None:
        """Return the next request; None when there is none now, or none any more."""
        try:
            return next(self._requests)
        except StopIteration:
            self.is_over = True
            return None
