"""Spreads requests over the workers of a dask cluster.

The client sends a request as bytes and gets a record as bytes; expectations never leave it. dask runs a lost worker's
requests again elsewhere; what fails even so is sent again a few times, then becomes a `sandbox_failed` record.
A scheduler that is started again gets everything that was on its way.
A worker of other source, or with a weaker wall, gets no requests: at the start it ends the command, later it is left
out. The requests themselves name the source, so that one which comes to such a worker is refused there.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from itertools import islice, takewhile
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import dask
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
_BACK_S = 60.0
"""For a scheduler that is gone to be started again, with workers: whatever minds a server does so sooner."""
_UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
}
"""dask looks at its workers' stacks a hundred times a second, and at its own health fifty times, for a dashboard."""
_GONE, _AGAIN = "the dask scheduler is gone", "Start it and its workers again, and grade again."
_HINT = "Install the same source on every worker and start it again: marks must not depend on where a case ran."


class DaskEngine:
    """Runs requests on the cluster at `address`, or on `workers` processes of this machine; one `map` at a time."""

    def __init__(self, factory: SandboxFactory, *, address: str = "", workers: int = 2) -> None:
        _silence()
        self._address = address
        self._factory = msgspec.msgpack.encode(factory)
        self._cluster = None if address else _local_cluster(workers)
        self._meet(_CONNECT_S)

    def _meet(self, patience_s: float) -> None:
        self._client = _connect(self._address or self._cluster, patience_s)
        self._crew = _Crew(self._client, self._factory)

    @property
    def isolation(self) -> Isolation:
        """The weakest wall among the workers that are there at first; later ones have at least this."""
        return self._crew.isolation

    def map(self, requests: Iterable[tuple[K, RunRequest] | None]) -> Iterator[tuple[K, RunRecord]]:
        """Keep a bounded number of requests on the cluster and yield each record as it comes."""
        source = Source(requests)
        flight: _Flight[K] = _Flight()
        try:
            while len(flight) or not source.is_over:
                try:
                    found = self._turn(flight)
                except (_GoneError, OSError):
                    self._come_back(flight)
                    continue
                yield from found
                while len(flight) < flight.room and (item := source.draw()) is not None:
                    flight.unsent.append(_Sent(*item))
        finally:
            if flight.waiting:
                self._client.cancel(list(flight.waiting))

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _turn(self, flight: _Flight[K]) -> list[tuple[K, RunRecord]]:
        """Send what is to be sent, then take what comes back next, if something comes soon."""
        flight.room = self._crew.room()
        most = self._crew.share(len(flight))
        while flight.unsent:
            places = self._crew.places()
            batch = flight.next_batch(most)
            future = self._crew.submit([sent.request for sent in batch], places)
            flight.send(future, [sent._replace(places=places) for sent in batch])
        found = self._next(flight.done) if flight.waiting else None
        if found is None or found not in flight.waiting:
            for lost in [one for one, its in flight.waiting.items() if self._crew.is_lost(its[0].places)]:
                self._client.cancel([lost])
                flight.unsent += flight.waiting.pop(lost)
            return []
        answers = self._crew.take(found)
        batch = flight.waiting.pop(found)
        flight.unsent += batch[len(answers) :]  # the worker had no time to begin them
        return [told for sent, answer in zip(batch, answers, strict=False) for told in flight.told(sent, answer)]

    def _next(self, done: SimpleQueue[_Answers]) -> _Answers | None:
        """Wait for a result, but not too long: workers come and go, and the scheduler may."""
        try:
            return done.get(timeout=_LOOK_S)
        except Empty:
            self._crew.look()
            return None

    def _come_back(self, flight: _Flight[K]) -> None:
        """Go on with a scheduler that was started again; whatever was on its way is sent again."""
        flight.turn_back()
        if not self._address or flight.turned_back > _TRIES:
            raise GraderError(_GONE, hint=_AGAIN)
        _log.warning("the dask scheduler is gone; it has %g s to come back", _BACK_S)
        agreed = self.isolation.level
        self._client.close(timeout=_LOOK_S)
        try:
            self._meet(_BACK_S)
        except UsageError:
            raise GraderError(_GONE, hint=_AGAIN) from None
        if not Level(self.isolation.level).reaches(Level(agreed)):
            raise UsageError(f"the workers that came back offer only the isolation '{self.isolation.level}'")


class _GoneError(Exception):
    """The scheduler doesn't answer any more."""


class _Sent(NamedTuple, Generic[K]):
    """A request on its way."""

    key: K
    request: RunRequest
    tries: int = 1
    places: frozenset[str] = frozenset()


class _Flight(Generic[K]):
    """All requests on their way, and those that are about to be sent."""

    def __init__(self) -> None:
        self.room = 0
        self.turned_back = 0
        self.unsent: deque[_Sent[K]] = deque()
        self.waiting: dict[_Answers, list[_Sent[K]]] = {}
        self.done: SimpleQueue[_Answers] = SimpleQueue()

    def __len__(self) -> int:
        return len(self.unsent) + sum(map(len, self.waiting.values()))

    def next_batch(self, most: int) -> list[_Sent[K]]:
        """Return what goes together next; what failed goes alone, so that nothing else fails with it."""
        fresh = takewhile(lambda sent: sent.tries == 1, islice(self.unsent, most))
        return list(fresh) or [self.unsent[0]]

    def send(self, future: _Answers, batch: list[_Sent[K]]) -> None:
        for _ in batch:
            self.unsent.popleft()
        self.waiting[future] = batch
        future.add_done_callback(self.done.put)

    def told(self, sent: _Sent[K], answer: bytes | str) -> Iterator[tuple[K, RunRecord]]:
        """Yield the record; a text says why there is none, and the request is sent again some times."""
        if isinstance(answer, bytes):
            yield sent.key, wire.decode_record(answer)
        elif sent.tries < _TRIES:
            self.unsent.append(sent._replace(tries=sent.tries + 1))
        else:
            yield sent.key, RunRecord(ending=Ending.SANDBOX_FAILED, detail=answer)

    def turn_back(self) -> None:
        """Have everything sent again."""
        self.turned_back += 1
        self.unsent.extend(sent for batch in self.waiting.values() for sent in batch)
        self.waiting.clear()
        self.done = SimpleQueue()


class _Crew:
    """The workers that may work: of the client's source, with a wall that is no weaker than was agreed."""

    def __init__(self, client: Client, factory: bytes) -> None:
        self._client = client
        self._factory = factory
        self._fit: dict[str, int] = {}
        """Address → threads."""
        self._strangers: set[str] = set()
        self._isolation: Isolation | UsageError | None = None
        self._looked_at = 0.0

    @property
    def isolation(self) -> Isolation:
        """Return the weakest wall; a worker that doesn't fit ends the command, and is asked once."""
        if self._isolation is None:
            try:
                self._isolation = self._weakest()
            except UsageError as error:
                self._isolation = error
        if isinstance(self._isolation, UsageError):
            raise self._isolation
        return self._isolation

    def _weakest(self) -> Isolation:
        try:
            self._client.wait_for_workers(1, timeout=_FIRST_WORKER_S)
        except TimeoutError as error:
            raise UsageError("the dask scheduler has no worker", hint="Start one: dask worker HOST:PORT") from error
        threads = self._client.nthreads()
        walls = self._ask(list(threads))
        for address, wall in sorted(walls.items()):
            if isinstance(wall, str):
                raise UsageError(f"the worker {address} {wall}", hint=_HINT)
        found = [wall for wall in walls.values() if not isinstance(wall, str)]
        self._fit = dict(threads)
        return min(found, key=lambda wall: list(Level).index(Level(wall.level)))

    def room(self) -> int:
        """Count the requests that the cluster takes at a time."""
        self._look_now_and_then()
        return max(1, sum(self._fit.values())) * _AHEAD

    def share(self, count: int) -> int:
        """Say how many of so many requests on their way go together: few when there are workers for all."""
        return max(1, min(_MOST_AT_ONCE, count // (2 * max(1, sum(self._fit.values())))))

    def places(self) -> frozenset[str]:
        """Return the only workers to which a request may go; none for any, while there are no strangers."""
        return frozenset(self._fit) if self._strangers else frozenset()

    def is_lost(self, places: frozenset[str]) -> bool:
        """Tell whether of the workers to which a request was bound none is left, and there are others."""
        return bool(places and self._fit) and places.isdisjoint(self._fit)

    def submit(self, requests: list[RunRequest], places: frozenset[str]) -> _Answers:
        self._is_there()
        harness = remote.harness_here()
        asked = [(wire.encode(request), remote.needed(request, harness)) for request in requests]
        words = (self._factory, asked, self.isolation.level)
        return self._client.submit(remote.run, *words, pure=False, workers=list(places) or None)

    def take(self, future: _Answers) -> list[bytes | str]:
        """Read what a worker answered; a text for each request that it didn't run."""
        self._is_there()
        if future.status == "finished":
            answers: list[bytes | None] = future.result()
            if None in answers:
                self._fit.clear()  # one of them isn't what it was: they are all asked again
                self.look()
            return [answer or "no worker would run it" for answer in answers]
        self.look()
        error = future.exception() if future.status == "error" else None
        return [f"{type(error).__name__}: {error}" if error else "no worker would run it"] * _MOST_AT_ONCE

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
            raise _GoneError


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
    with dask.config.set(_UNWATCHED):
        return LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # any free port; it is needed for nothing
            memory_limit=0,  # the sandbox bounds each run
            silence_logs=logging.CRITICAL,
        )


def _connect(address: str | LocalCluster | None, patience_s: float) -> Client:
    try:
        return Client(address, timeout=patience_s, set_as_default=False)
    except TypeError as error:  # dask's way to say that it has no certificate
        raise UsageError(
            f"{address} asks for a certificate, and there is none",
            hint="`grader cluster certificates` writes one; name its file: export DASK_CONFIG=cluster.yaml",
        ) from error
    except OSError as error:
        raise UsageError(
            f"no dask scheduler answers at {address}", hint="Start one: dask scheduler --port 8786"
        ) from error
