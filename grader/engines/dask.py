"""Spreads requests over the workers of a dask cluster.

The client sends a request as bytes and gets a record as bytes; expectations never leave it. dask runs a lost worker's
requests again elsewhere; what fails even so is sent again a few times, then becomes a `sandbox_failed` record.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, TypeVar

import msgspec
from distributed import Client, LocalCluster, as_completed

from grader.engines import remote, wire
from grader.engines.confirm import confirm
from grader.engines.station import Station, agree
from grader.errors import GraderError, UsageError
from grader.model.run import RunRecord
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from distributed import Future

    from grader.engines.recipe import SandboxRecipe
    from grader.model.result import Isolation
    from grader.model.run import RunRequest

K = TypeVar("K")

_AHEAD = 4  # requests per worker thread, running or waiting
_TRIES = 4
_CONNECT_S = 15
_FIRST_WORKER_S = 600  # a batch queue may take its time
_RECOUNT_S = 3.0

_decode_station = msgspec.msgpack.Decoder(Station).decode


class DaskEngine:
    """Runs requests on the cluster at `address`, or on `workers` processes of this machine; one `map` at a time."""

    def __init__(self, recipe: SandboxRecipe, *, address: str = "", workers: int = 2) -> None:
        self._recipe = msgspec.msgpack.encode(recipe)
        self._cluster = None if address else _local_cluster(workers)
        self._client = _connect(address or self._cluster)
        self._isolation: Isolation | None = None
        self._workers: tuple[str, ...] = ()
        self._threads = 1
        self._counted_at = 0.0

    @property
    def isolation(self) -> Isolation:
        """The weakest wall among the workers that are there now."""
        if self._isolation is None:
            self._isolation = agree(self._stations())
        return self._isolation

    def map(self, requests: Iterable[tuple[K, RunRequest | RunRecord]]) -> Iterator[tuple[K, RunRecord]]:
        """Give each record as it comes, the confirmed time-outs last; an item that is a record is handed on."""
        return confirm(self._stream(requests, remote.run, self._room), self._run_alone)

    def close(self) -> None:
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()

    def _run_alone(self, suspects: Iterable[tuple[K, RunRequest]]) -> Iterator[tuple[K, RunRecord]]:
        """Run one request per host at a time; the workers see to it with a lock."""
        for key, _, record in self._stream(suspects, remote.run_alone, self._hosts):
            yield key, record

    def _stream(
        self,
        requests: Iterable[tuple[K, RunRequest | RunRecord]],
        task: Callable[[bytes, bytes], bytes],
        most: Callable[[], int],
    ) -> Iterator[tuple[K, RunRequest | None, RunRecord]]:
        """Keep at most `most` requests on the cluster and give each result as it comes."""
        source = iter(requests)
        finished = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        waiting: dict[Future[bytes], tuple[K, RunRequest, int]] = {}
        try:
            while True:
                while len(waiting) < most() and (item := next(source, None)) is not None:
                    key, asked = item
                    if isinstance(asked, RunRecord):
                        yield key, None, asked
                    else:
                        future = self._submit(task, asked)
                        waiting[future] = (key, asked, 1)
                        finished.add(future)
                if not waiting:
                    return
                future, result = next(finished)
                key, request, tries = waiting.pop(future)
                if isinstance(result, bytes):
                    yield key, request, wire.decode_record(result)
                elif tries < _TRIES:
                    again = self._submit(task, request)
                    waiting[again] = (key, request, tries + 1)
                    finished.add(again)
                else:
                    yield key, request, RunRecord(ending=Ending.SANDBOX_FAILED, detail=_reason(result))
        finally:
            self._client.cancel(list(waiting))

    def _submit(self, task: Callable[[bytes, bytes], bytes], request: RunRequest) -> Future[bytes]:
        if self._client.status != "running":
            raise GraderError(
                "the dask scheduler is gone", hint="What was graded is stored: start it again and grade again."
            )
        return self._client.submit(task, self._recipe, wire.encode(request), pure=False)

    def _room(self) -> int:
        self._count()
        return max(1, self._threads) * _AHEAD

    def _hosts(self) -> int:
        self._count()
        return max(1, len({address.rpartition(":")[0] for address in self._workers}))

    def _count(self) -> None:
        """Look now and then how large the cluster is: workers come and go."""
        if time.monotonic() - self._counted_at > _RECOUNT_S:
            threads = self._client.nthreads()
            self._workers = tuple(threads)
            self._threads = sum(threads.values())
            self._counted_at = time.monotonic()

    def _stations(self) -> dict[str, Station]:
        try:
            self._client.wait_for_workers(1, timeout=_FIRST_WORKER_S)
            answers = self._client.run(remote.this_station, self._recipe)
        except TimeoutError as error:
            raise UsageError("the dask scheduler has no worker", hint="Start one: dask worker HOST:PORT") from error
        except ImportError as error:
            raise UsageError(
                f"a dask worker can't import the harness ({error})", hint="Install maze-grader on every worker."
            ) from error
        return {address: _decode_station(answer) for address, answer in answers.items()}


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
    except OSError as error:
        raise UsageError(
            f"no dask scheduler answers at {address}", hint="Start one: dask scheduler --port 8786"
        ) from error


def _reason(result: object) -> str:
    error = result[1] if isinstance(result, tuple) else result
    return f"{type(error).__name__}: {error}"
