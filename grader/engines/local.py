"""Keeps this machine's cores busy: threads with a sandbox each draw from one queue.

First in, first out; time-outs are confirmed alone (see confirm.py). A worker waits for a quarter of its
time, so a large batch gets more workers than cores; a small one would only wait for their sandboxes.
"""

from __future__ import annotations

from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, TypeVar

from grader.engines.cell import Cell
from grader.engines.confirm import confirm
from grader.model.run import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.engines.cell import OpenSandbox
    from grader.model.result import Isolation
    from grader.model.run import RunRequest

    Job = Callable[[Cell], None]

K = TypeVar("K")
T = TypeVar("T")

_AHEAD = 4  # requests per worker, running or waiting: enough to bridge the caller's own work
_MANY = 32  # requests so far for each worker, before one more is worth its start
_JOIN_S = 0.2
_TRIES = 25  # a worker whose sandbox won't close by then is a daemon thread, and is left behind


class _Worker(Thread):
    """Takes jobs from the queue until it finds None."""

    def __init__(self, open_sandbox: OpenSandbox, jobs: SimpleQueue[Job | None]) -> None:
        super().__init__(name="grader-worker", daemon=True)
        self.cell = Cell(open_sandbox)
        self._jobs = jobs

    def end(self) -> None:
        """End what it runs, and wait for it; what it starts meanwhile is ended, too."""
        for _ in range(_TRIES):
            self.cell.stop()
            self.join(_JOIN_S)
            if not self.is_alive():
                return

    def run(self) -> None:
        while (job := self._jobs.get()) is not None:
            job(self.cell)
        self.cell.close()


class LocalEngine:
    """Runs requests on `workers` threads, and on up to `more` when there are many requests; one `map` at a time."""

    def __init__(self, open_sandbox: OpenSandbox, *, workers: int, more: int = 0) -> None:
        self._open_sandbox = open_sandbox
        self._count = workers
        self._most = workers + more
        self._submitted = 0
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._workers: list[_Worker] = []

    @property
    def isolation(self) -> Isolation:
        return self._ask(lambda cell: cell.isolation)

    def map(self, requests: Iterable[tuple[K, RunRequest | RunRecord]]) -> Iterator[tuple[K, RunRecord]]:
        """Give each record as it comes, the confirmed time-outs last; closing the iterator stops the drawing.

        An item that is a record already is handed on in its turn.
        """
        try:
            yield from confirm(self._stream(requests), self._run_alone)
        finally:
            self._forget()

    def close(self) -> None:
        """End every worker; one that still runs a request loses its sandbox, and so the request."""
        self._forget()
        for _ in self._workers:
            self._jobs.put(None)
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def _run_alone(self, suspects: Iterable[tuple[K, RunRequest]]) -> Iterator[tuple[K, RunRecord]]:
        for key, request in suspects:
            yield key, self._ask(partial(_run, request))

    def _stream(
        self, requests: Iterable[tuple[K, RunRequest | RunRecord]]
    ) -> Iterator[tuple[K, RunRequest | None, RunRecord]]:
        source = iter(requests)
        results: SimpleQueue[tuple[K, RunRequest, RunRecord]] = SimpleQueue()
        most = self._most * _AHEAD
        ahead = 0
        while True:
            while ahead < most and (item := next(source, None)) is not None:
                key, asked = item
                if isinstance(asked, RunRecord):
                    yield key, None, asked
                else:
                    self._submit(_job(key, asked, results))
                    ahead += 1
            if not ahead:
                return
            result = results.get()
            ahead -= 1
            yield result

    def _ask(self, question: Callable[[Cell], T]) -> T:
        """Have one worker answer while the others rest; what it raises is raised here."""
        answers: SimpleQueue[T | Exception] = SimpleQueue()

        def job(cell: Cell) -> None:
            try:
                answers.put(question(cell))
            except Exception as error:  # noqa: BLE001 - it is raised again in the thread that asked
                answers.put(error)

        self._submit(job)
        answer = answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _submit(self, job: Job) -> None:
        self._submitted += 1
        running = len(self._workers)
        if running < self._count or (running < self._most and self._submitted > running * _MANY):
            self._workers.append(_Worker(self._open_sandbox, self._jobs))
            self._workers[-1].start()
        self._jobs.put(job)

    def _forget(self) -> None:
        """Take back every job that no worker has begun."""
        while True:
            try:
                self._jobs.get_nowait()
            except Empty:
                return


def _run(request: RunRequest, cell: Cell) -> RunRecord:
    return cell.run(request)


def _job(key: K, request: RunRequest, results: SimpleQueue[tuple[K, RunRequest, RunRecord]]) -> Job:
    def job(cell: Cell) -> None:
        results.put((key, request, cell.run(request)))

    return job
