"""Spreads requests over the workers of a dask cluster.

The client sends a request as bytes and gets a record as bytes; expectations never leave it. dask runs a lost worker's
requests again elsewhere; what fails even so is sent again a few times, then becomes a `sandbox_failed` record.
A worker of other source, or with a weaker wall, gets no requests: at the start it ends the command, later it is left
out. The requests themselves name the source, so that one which comes to such a worker is refused there.
"""

from __future__ import annotations

import logging
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import msgspec
from distributed import Client, LocalCluster

from grader.engines import remote
from grader.engines.source import Source
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

K = TypeVar("K")

_log = logging.getLogger("grader")
_AHEAD = 4  # requests per worker thread, running or waiting
_TRIES = 4
_CONNECT_S = 15
_FIRST_WORKER_S = 600  # a batch queue may take its time
_LOOK_S = 3.0
_HINT = "Install the same source on every worker and start it again: marks must not depend on where a case ran."


class DaskEngine:
    """Runs requests on the cluster at `address`, or on `workers` processes of this machine; one `map` at a time."""

    def __init__(self, factory: SandboxFactory, *, address: str = "", workers: int = 2) -> None:
        _silence()
        self._cluster = None if address else _local_cluster(workers)
        self._client = _connect(address or self._cluster)
        self._crew = _Crew(self._client, msgspec.msgpack.encode(factory))

    @property
    def isolation(self) -> Isolation:
        """The weakest wall among the workers that are there at first; later ones have at least this."""
        return self._crew.isolation

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Keep a bounded number of requests on the cluster and yield each record as it comes."""
        source = Source(requests)
        waiting: dict[Future[bytes | None], _Sent[K]] = {}
        done: SimpleQueue[Future[bytes | None]] = SimpleQueue()

        def send(key: K, request: RunRequest, tries: int = 1) -> None:
            places = self._crew.places()
            future = self._crew.submit(request, places)
            waiting[future] = _Sent(key, request, tries, places)
            future.add_done_callback(done.put)

        try:
            while waiting or not source.is_over:
                while len(waiting) < self._crew.room() and (item := source.draw()) is not None:
                    send(*item)
                future = self._next(done) if waiting else None
                sent = waiting.pop(future, None) if future else None
                if future is None or sent is None:
                    for lost in [one for one, its in waiting.items() if self._crew.is_lost(its.places)]:
                        self._client.cancel([lost])
                        send(*waiting.pop(lost)[:3])
                    continue
                record = self._crew.take(future, sent.tries)
                if record is not None:
                    yield sent.key, record
                else:
                    send(sent.key, sent.request, sent.tries + 1)
        finally:
            self._client.cancel(list(waiting))

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _next(self, done: SimpleQueue[Future[bytes | None]]) -> Future[bytes | None] | None:
        """Wait for a result, but not too long: workers come and go, and the scheduler may."""
        try:
            return done.get(timeout=_LOOK_S)
        except Empty:
            self._crew.look()
            return None


class _Sent(NamedTuple, Generic[K]):
    """A request on its way."""

    key: K
    request: RunRequest
    tries: int
    places: frozenset[str]


class _Crew:
    """The workers that may work: of the client's source, with a wall that is no weaker than was agreed."""

    def __init__(self, client: Client, factory: bytes) -> None:
        self._client = client
        self._factory = factory
        self._fit: dict[str, int] = {}
        """Address → threads."""
        self._strangers: set[str] = set()
        self._isolation: Isolation | None = None
        self._looked_at = 0.0

    @property
    def isolation(self) -> Isolation:
        """Return the weakest wall; a worker that doesn't fit ends the command."""
        if self._isolation is None:
            try:
                self._client.wait_for_workers(1, timeout=_FIRST_WORKER_S)
            except TimeoutError as error:
                raise UsageError(
                    "the dask scheduler has no worker", hint="Start one: dask worker HOST:PORT"
                ) from error
            threads = self._client.nthreads()
            walls = self._ask(list(threads))
            for address, wall in sorted(walls.items()):
                if isinstance(wall, str):
                    raise UsageError(f"the worker {address} {wall}", hint=_HINT)
            found = [wall for wall in walls.values() if not isinstance(wall, str)]
            self._isolation = min(found, key=lambda wall: list(Level).index(Level(wall.level)))
            self._fit = dict(threads)
        return self._isolation

    def room(self) -> int:
        """Count the requests that the cluster takes at a time."""
        self._look_now_and_then()
        return max(1, sum(self._fit.values())) * _AHEAD

    def places(self) -> frozenset[str]:
        """Return the only workers to which a request may go; none for any, while there are no strangers."""
        return frozenset(self._fit) if self._strangers else frozenset()

    def is_lost(self, places: frozenset[str]) -> bool:
        """Tell whether of the workers to which a request was bound none is left, and there are others."""
        return bool(places and self._fit) and places.isdisjoint(self._fit)

    def submit(self, request: RunRequest, places: frozenset[str]) -> Future[bytes | None]:
        self._is_there()
        named = (
            self._factory,
            wire.encode(request),
            remote.needed(request, remote.harness_here()),
            self.isolation.level,
        )
        return self._client.submit(remote.run, *named, pure=False, workers=list(places) or None)

    def take(self, future: Future[bytes | None], tries: int) -> RunRecord | None:
        """Read a result; None where the request is to be sent again."""
        self._is_there()
        if future.status == "finished":
            answer: bytes | None = future.result()
            if answer is not None:
                record: RunRecord = wire.decode_record(answer)
                return record
            self._fit.clear()  # one of them isn't what it was: they are all asked again
        self.look()
        if tries < _TRIES:
            return None
        error = future.exception() if future.status == "error" else None
        reason = f"{type(error).__name__}: {error}" if error else "no worker would run it"
        return RunRecord(ending=Ending.SANDBOX_FAILED, detail=reason)

    def look(self) -> None:
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

    def _look_now_and_then(self) -> None:
        if time.monotonic() - self._looked_at > _LOOK_S:
            self.look()

    def _is_there(self) -> None:
        if self._client.status != "running":
            raise GraderError("the dask scheduler is gone", hint="Start it and its workers again, and grade again.")


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
            hint="`grader cluster certificates` writes one; name its file: export DASK_CONFIG=cluster.yaml",
        ) from error
    except OSError as error:
        raise UsageError(
            f"no dask scheduler answers at {address}", hint="Start one: dask scheduler --port 8786"
        ) from error
