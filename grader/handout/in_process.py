"""An engine and readers that do their work here, one thing after the other: a student's own machine needs no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.pipeline.grade import Grading, Reading
from grader.readers.job import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.result import Isolation
    from grader.model.run import RunRecord, RunRequest
    from grader.model.seams import Sandbox
    from grader.pipeline.prepare import Plan
    from grader.readers.job import Errand

K = TypeVar("K")
R = TypeVar("R")


def grading_here(plan: Plan, sandbox: Sandbox) -> Grading:
    """Return what grades a plan in this process; students' words are read without bounds, by their own student."""
    readers: Any = HereReaders()  # as much of grader.readers.pool as grading asks of it
    return Grading(plan, HereEngine(sandbox), readers, Reading.of(plan))


class HereEngine:
    """Runs each request as it comes."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @property
    def isolation(self) -> Isolation:
        return self._sandbox.isolation

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Yield each record before the next request is drawn, so nothing is ever waited for."""
        for asked in requests:
            if asked is not None:
                yield asked[0], self._sandbox.run(asked[1])

    def close(self) -> None:
        self._sandbox.close()


class HereReaders:
    """Does each errand when its result is asked for."""

    def map(self, errands: Iterable[tuple[K, Errand[R]]]) -> _Results[K, R]:
        return _Results(errands)


class _Results(Generic[K, R]):
    def __init__(self, errands: Iterable[tuple[K, Errand[R]]]) -> None:
        self._errands = iter(errands)

    def __iter__(self) -> Iterator[tuple[K, R]]:
        return self

    def __next__(self) -> tuple[K, R]:
        key, errand = next(self._errands)
        return key, run(errand)

    def waiting(self) -> bool:
        """Nothing is under way between two results."""
        return False
