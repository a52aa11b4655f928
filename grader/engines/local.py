"""Keeps this machine's cores busy: threads with a sandbox each draw from one queue; opens engines by their URL.

local            this machine, as many workers as asked for, or as keep its cores busy
local:N          this machine, N workers
dask             dask on this machine, in processes of its own
dask://host:port a dask scheduler; also tcp://host:port and tls://host:port

First in, first out. A worker waits for a quarter of its time, so a large batch gets more workers than cores; a few
quick requests are done by one before a second has its sandbox.
"""

from __future__ import annotations

import re
from functools import partial
from importlib.util import find_spec
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Generic, TypeVar

from grader.engines.worker import Worker, cores
from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.engines.worker import OpenSandbox, SandboxFactory
    from grader.model.result import Isolation
    from grader.model.run import RunRecord, RunRequest
    from grader.model.seams import Engine

    Job = Callable[[Worker], None]


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


T = TypeVar("T")

_AHEAD = 4  # requests per worker, running or waiting: enough to bridge the caller's own work
_FEW, _MANY = 8, 32  # requests so far for each worker, before one more is worth its start, up to the cores and beyond
_SOON_S = 0.05  # what a worker's start takes: whoever waits so long for a record gets one more
_JOIN_S = 0.2
_TRIES = 25  # a worker whose sandbox won't close by then is a daemon thread, and is left behind


class _WorkerThread(Thread):
    """Does the first job, if there is one, then takes jobs from the queue until it finds None."""

    def __init__(self, open_sandbox: OpenSandbox, jobs: SimpleQueue[Job | None], first: Job | None) -> None:
        super().__init__(name="grader-worker", daemon=True)
        self.worker = Worker(open_sandbox)
        self._jobs = jobs
        self._first = first

    def end(self) -> None:
        """End what it runs, and wait for it; what it starts meanwhile is ended, too."""
        for _ in range(_TRIES):
            self.worker.stop()
            try:
                self.join(_JOIN_S)
            except RuntimeError:  # Ctrl-C came while it was being started: it may begin yet
                sleep(_JOIN_S)
            if not self.is_alive():
                return

    def run(self) -> None:
        if self._first is not None:
            self._first(self.worker)
        while (job := self._jobs.get()) is not None:
            job(self.worker)
        self.worker.close()


class LocalEngine:
    """Runs requests on `workers` threads, and on up to `more` when there are many requests; one `map` at a time."""

    def __init__(self, open_sandbox: OpenSandbox, *, workers: int, more: int = 0) -> None:
        self._open_sandbox = open_sandbox
        self._count = workers
        self._most = workers + more
        self._submitted = 0
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._workers: list[_WorkerThread] = []
        self._walls: SimpleQueue[Isolation | Exception] | None = None
        self._wall: Isolation | Exception | None = None

    @property
    def isolation(self) -> Isolation:
        """Tell how strong the wall is, by the first worker; what its sandbox raises is raised here, too."""
        if self._wall is None:
            self._wall = self.begin().get()
        if isinstance(self._wall, Exception):
            raise self._wall
        return self._wall

    def begin(self) -> SimpleQueue[Isolation | Exception]:
        """Have the first worker open its sandbox, and don't wait for it; return where it says how strong it is."""
        if self._walls is None:
            self._walls = SimpleQueue()
            self._start_worker(partial(_tell_wall, self._walls))
        return self._walls

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Yield each record as it comes; closing the iterator stops the drawing."""
        source = Source(requests)
        results: SimpleQueue[tuple[K, RunRecord]] = SimpleQueue()
        ahead = 0
        try:
            while ahead or not source.is_over:
                while ahead < self._most * _AHEAD and (item := source.draw()) is not None:
                    self._submit(_job(*item, results))
                    ahead += 1
                if ahead:
                    result = self._next(results, waiting=ahead)
                    ahead -= 1
                    yield result
        finally:
            self._forget()

    def close(self) -> None:
        """End every worker; one that still runs a request loses its sandbox, and so the request."""
        self._forget()
        for _ in self._workers:
            self._jobs.put(None)
        for thread in self._workers:
            thread.end()
        self._workers.clear()

    def _next(self, results: SimpleQueue[T], waiting: int) -> T:
        while len(self._workers) < min(self._count, waiting):
            try:
                return results.get(timeout=_SOON_S)
            except Empty:
                self._start_worker()
        return results.get()

    def _submit(self, job: Job) -> None:
        self._submitted += 1
        running = len(self._workers)
        enough = _FEW if running < self._count else _MANY
        if not running or (running < self._most and self._submitted > running * enough):
            self._start_worker()
        self._jobs.put(job)

    def _start_worker(self, first: Job | None = None) -> None:
        self._workers.append(_WorkerThread(self._open_sandbox, self._jobs, first))
        self._workers[-1].start()

    def _forget(self) -> None:
        """Take back every job that no worker has begun."""
        while True:
            try:
                self._jobs.get_nowait()
            except Empty:
                return


def _tell_wall(answers: SimpleQueue[Isolation | Exception], worker: Worker) -> None:
    try:
        answers.put(worker.isolation)
    except Exception as error:  # noqa: BLE001 - it is raised again in the thread that asks
        answers.put(error)


def _job(key: K, request: RunRequest, results: SimpleQueue[tuple[K, RunRecord]]) -> Job:
    def job(worker: Worker) -> None:
        results.put((key, worker.run(request)))

    return job


_LOCAL = re.compile("local(?::([1-9][0-9]*))?")
_REMOTE = ("dask://", "tcp://", "tls://")


def open_engine(url: str, *, factory: SandboxFactory, workers: int | None = None) -> Engine:
    """Open the engine that the URL names; without a number, one worker per core, and two for a large batch."""
    if url == "dask" or url.startswith(_REMOTE):
        return _open_dask(url, factory, workers or cores())
    named = _LOCAL.fullmatch(url)
    if named is None:
        raise UsageError(
            f"unknown engine {url!r}", hint="Known are local, local:4, dask and dask://host:8786 (or tcp://, tls://)."
        )
    wanted = int(named[1] or workers or 0)
    engine = LocalEngine(factory, workers=wanted) if wanted else LocalEngine(factory, workers=cores(), more=cores())
    engine.begin()
    return engine


def _open_dask(url: str, factory: SandboxFactory, workers: int) -> Engine:
    if find_spec("distributed") is None:
        raise UsageError("this engine needs dask", hint="Install it: pip install 'maze-grader[dask]'")
    from grader.engines.dask import DaskEngine  # noqa: PLC0415 - an optional extra, and slow to import

    address = "" if url == "dask" else url.replace("dask://", "tcp://", 1)
    return DaskEngine(factory, address=address, workers=workers)
