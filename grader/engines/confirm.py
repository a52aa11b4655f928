"""Confirms every time-out alone before it is given out.

A record that ends at the CPU or wall limit is held back. When every other record has been given out, the requests
held back run again in their order, each on a machine where this grader runs nothing else, and the second record
counts. So a program slowed down by its neighbours is never blamed, a hostile submission delays nobody's verdicts but
those of its own time-outs, and the cost is bounded: a time-out runs exactly twice.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeVar

from grader.model.verdict import TIMED_OUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.model.run import RunRecord, RunRequest

K = TypeVar("K")


def confirm(
    results: Iterable[tuple[K, RunRequest | None, RunRecord]],
    run_alone: Callable[[Iterable[tuple[K, RunRequest]]], Iterator[tuple[K, RunRecord]]],
) -> Iterator[tuple[K, RunRecord]]:
    """Give the results, the time-outs last and from their second run; one without a request is settled already."""
    suspects: deque[tuple[K, RunRequest]] = deque()
    for key, request, record in results:
        if request is not None and record.ending in TIMED_OUT:
            suspects.append((key, request))
        else:
            yield key, record
    yield from run_alone(_emptying(suspects))


def _emptying(suspects: deque[tuple[K, RunRequest]]) -> Iterator[tuple[K, RunRequest]]:
    while suspects:
        yield suspects.popleft()
