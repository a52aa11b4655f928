"""Spreads requests over the workers of a dask cluster.

The client sends a request as bytes and gets a record as bytes; expectations never leave it. dask runs a lost worker's
requests again elsewhere; what fails even so is sent again a few times, then becomes a `sandbox_failed` record.
A worker of other source, or with a weaker wall, gets no requests: at the start it ends the command, later it is left
out. The requests themselves name the source, so that one which comes to such a worker is refused there.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import dask
import msgspec
from distributed import Client, LocalCluster

from grader.engines import remote
from grader.engines.local import Source
from grader.errors import GraderError, UsageError
from grader.model import wire
from grader.model.result import Isolation
from grader.model.run import RunRecord
from grader.model.verdict import Ending, Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from distributed import Future

    from grader.engines.worker import SandboxFactory
    from grader.model.run import RunRequest

    _Answers = Future[list[bytes | None]]

K = TypeVar("K")

_log = logging.getLogger("grader")
_AHEAD = 48  # requests per worker thread, running or waiting
_MOST_AT_ONCE = 24
"""Requests that go to a worker together: what dask does for each message takes as long as an ordinary case."""
_TRIES = 4
_CONNECT_S = 15
_FIRST_WORKER_S = 600  # a batch queue may take its time
_LOOK_S = 3.0
_GONE, _AGAIN = "the dask scheduler is gone", "Start it and its workers again, and grade again."
_HINT = "Install the same source on every worker and start it again: marks must not depend on where a case ran."


class _Sent(NamedTuple, Generic[K]):
    """A request on its way."""

    key: K
    request: RunRequest
    tries: int = 1


class DaskEngine:
    """Runs requests on the cluster at `address`, or on `workers` processes of this machine; one `map` at a time."""

    def __init__(self, factory: SandboxFactory, *, address: str = "", workers: int = 2) -> None:
        _silence()
        self._factory = msgspec.msgpack.encode(factory)
        self._cluster = None if address else _local_cluster(workers)
        self._client = _connect(address or self._cluster)
        self._fit: dict[str, int] = {}
        """Address → threads, of the workers that may work."""
        self._strangers: set[str] = set()
        self._isolation: Isolation | UsageError | None = None
        self._looked_at = 0.0

    @property
    def isolation(self) -> Isolation:
        """The weakest wall among the workers that are there at first; later ones have at least this."""
        if self._isolation is None:
            try:
                self._isolation = self._weakest()
            except UsageError as error:
                self._isolation = error
        if isinstance(self._isolation, UsageError):
            raise self._isolation
        return self._isolation

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Keep a bounded number of requests on the cluster and yield each record as it comes."""
        try:
            yield from self._map(Source(requests))
        except OSError as error:  # of a connection
            raise GraderError(_GONE, hint=_AGAIN) from error

    def _map(self, source: Source[K]) -> Iterator[tuple[K, RunRecord]]:
        unsent: deque[_Sent[K]] = deque()
        waiting: dict[_Answers, list[_Sent[K]]] = {}
        done: SimpleQueue[_Answers] = SimpleQueue()
        try:
            while unsent or waiting or not source.is_over:
                count = len(unsent) + sum(map(len, waiting.values()))
                while count < self._room() and (item := source.draw()) is not None:
                    unsent.append(_Sent(*item))
                    count += 1
                while unsent:
                    batch = self._batch(unsent, count)
                    future = self._submit([sent.request for sent in batch])
                    waiting[future] = batch
                    future.add_done_callback(done.put)
                found = self._next(done) if waiting else None
                if found is not None:
                    batch = waiting.pop(found)
                    answers = self._answers(found, len(batch))
                    unsent += batch[len(answers) :]  # the worker had no time to begin them
                    for sent, answer in zip(batch, answers, strict=False):
                        if isinstance(answer, str) and sent.tries < _TRIES:
                            unsent.append(sent._replace(tries=sent.tries + 1))
                        else:
                            yield sent.key, _record(answer)
        finally:
            if waiting:
                self._client.cancel(list(waiting))

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _weakest(self) -> Isolation:
        try:
            self._client.wait_for_workers(1, timeout=_FIRST_WORKER_S)
        except TimeoutError as error:
            raise UsageError("the dask scheduler has no worker", hint="Start one: dask worker HOST:PORT") from error
        threads = self._client.nthreads()
        found = []
        for address, wall in sorted(self._ask(list(threads)).items()):
            if isinstance(wall, str):
                raise UsageError(f"the worker {address} {wall}", hint=_HINT)
            found.append(wall)
        self._fit = dict(threads)
        return min(found, key=lambda wall: list(Level).index(Level(wall.level)))

    def _room(self) -> int:
        """Count the requests that the cluster takes at a time."""
        if time.monotonic() - self._looked_at > _LOOK_S:
            self._look()
        return max(1, sum(self._fit.values())) * _AHEAD

    def _batch(self, unsent: deque[_Sent[K]], count: int) -> list[_Sent[K]]:
        """Take what goes together next: few when there are workers for all; what has failed goes alone."""
        most = max(1, min(_MOST_AT_ONCE, count // (2 * max(1, sum(self._fit.values())))))
        batch = [unsent.popleft()]
        while batch[0].tries == 1 and len(batch) < most and unsent and unsent[0].tries == 1:
            batch.append(unsent.popleft())
        return batch

    def _submit(self, requests: list[RunRequest]) -> _Answers:
        """Send requests; strangers refuse what comes to them when all others have gone."""
        self._is_there()
        harness = remote.harness_here()
        asked = [(wire.encode(request), remote.needed(request, harness)) for request in requests]
        words = (self._factory, asked, self.isolation.level)
        fit = list(self._fit) if self._strangers else None
        return self._client.submit(remote.run, *words, pure=False, workers=fit or None, allow_other_workers=bool(fit))

    def _next(self, done: SimpleQueue[_Answers]) -> _Answers | None:
        """Wait for a result, but not too long: workers come and go, and the scheduler may."""
        try:
            return done.get(timeout=_LOOK_S)
        except Empty:
            self._look()
            return None

    def _answers(self, future: _Answers, count: int) -> list[bytes | str]:
        """Read what a worker answered; a text for each request that it didn't run."""
        self._is_there()
        if future.status == "finished":
            answers: list[bytes | None] = future.result()
            if None in answers:
                self._fit.clear()  # one of them isn't what it was: they are all asked again
                self._look()
            return [answer or "no worker would run it" for answer in answers]
        error = future.exception() if future.status == "error" else None
        return [f"{type(error).__name__}: {error}" if error else "no worker would run it"] * count

    def _look(self) -> None:
        """See who has come and gone; whoever is new is asked first what it works by."""
        self._is_there()
        threads = self._client.nthreads()
        self._looked_at = time.monotonic()
        new = [address for address in threads if address not in self._fit and address not in self._strangers]
        for address, wall in self._ask(new).items():
            fault = wall if isinstance(wall, str) else self._weakness(wall)
            if fault:
                _log.warning("the worker %s %s; it gets nothing to run", address, fault)
                self._strangers.add(address)
            else:
                self._fit[address] = threads[address]
        self._fit = {address: count for address, count in self._fit.items() if address in threads}
        self._strangers &= threads.keys()

    def _weakness(self, wall: Isolation) -> str:
        is_weak = not Level(wall.level).reaches(Level(self.isolation.level))
        return f"offers only the isolation '{wall.level}'" if is_weak else ""

    def _ask(self, addresses: list[str]) -> dict[str, Isolation | str]:
        """Ask each worker for its wall; a text says why it can't work here."""
        if not addresses:
            return {}
        words = (remote.join, self._factory, remote.harness_here())
        answers = self._client.run(*words, workers=addresses, on_error="return")
        return {address: _wall(answer) for address, answer in answers.items()}

    def _is_there(self) -> None:
        if self._client.status != "running":
            raise GraderError(_GONE, hint=_AGAIN)


def _record(answer: bytes | str) -> RunRecord:
    if isinstance(answer, bytes):
        record: RunRecord = wire.decode_record(answer)
        return record
    return RunRecord(ending=Ending.SANDBOX_FAILED, detail=answer)


def _wall(answer: object) -> Isolation | str:
    if isinstance(answer, bytes):
        return msgspec.msgpack.decode(answer, type=Isolation)
    return answer if isinstance(answer, str) else f"can't tell what it is ({answer}); is maze-grader installed there?"


def _silence() -> None:
    """Keep dask's own log quiet: that a scheduler died is said once, in a sentence."""
    for name in ("asyncio", *logging.root.manager.loggerDict):
        if name.startswith(("asyncio", "distributed")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _local_cluster(workers: int) -> LocalCluster:
    with dask.config.set({"distributed.worker.profile.enabled": False}):  # it is for a dashboard
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # any free port; it is needed for nothing
            memory_limit=0,  # the sandbox bounds each run
            silence_logs=logging.CRITICAL,
        )


def _connect(address: str | LocalCluster | None) -> Client:
    try:
        return Client(address, timeout=_CONNECT_S, set_as_default=False)
    except TypeError as error:  # dask's way to say that it has no certificate
        raise UsageError(
            f"{address} asks for a certificate, and there is none",
            hint="name it in dask's settings: docs/operations/cluster.md says how",
        ) from error
    except OSError as error:
        raise UsageError(
            f"no dask scheduler answers at {address}", hint="Start one: dask scheduler --port 8786"
        ) from error
