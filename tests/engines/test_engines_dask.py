"""Promises of the dask engine, kept with a real scheduler and real workers as processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from distributed import Client
from test_engines_local import request

from grader.engines import wire
from grader.engines.open import open_engine
from grader.engines.recipe import SandboxRecipe
from grader.engines.station import agree, describe
from grader.engines.store import RunStore
from grader.engines.stored import StoredEngine
from grader.errors import UsageError
from grader.model.result import Isolation
from grader.model.run import Program, Reply, RunRecord, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Engine

_HERE = Path(__file__).parent
_PATIENCE_S = 120


class Cluster:
    """A scheduler and its workers, started as a site would start them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        self.wait_for(self.file.exists)
        self.workers = [self.add_worker() for _ in range(2)]
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=_PATIENCE_S)

    @property
    def url(self) -> str:
        address: str = msgspec.json.decode(self.file.read_bytes())["address"]
        return address.replace("tcp://", "dask://")

    def add_worker(self) -> subprocess.Popen[bytes]:
        place = ("--host", "127.0.0.1", "--local-directory", str(self.folder), "--scheduler-file", str(self.file))
        return self.start("worker", *place, "--nthreads", "1", "--no-nanny")

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        environment = os.environ | {"PYTHONPATH": str(_HERE), "XDG_CACHE_HOME": str(self.folder)}
        log = self.stack.enter_context((self.folder / "log").open("ab"))
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=self.folder)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def wait_for(self, claim: Any) -> None:
        until = time.monotonic() + _PATIENCE_S
        while not claim():
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path_factory.mktemp("cluster"), stack)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Give the folder in which every run leaves its name and its worker's process id."""
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@contextmanager
def opened(url: str, runs: Path) -> Iterator[Engine]:
    recipe = SandboxRecipe(factory="plain_sandbox:open_plain", options={"folder": str(runs)})
    engine = open_engine(url, recipe=recipe, workers=2)
    try:
        yield engine
    finally:
        engine.close()


def grade(url: str, runs: Path, words: list[str]) -> dict[int, RunRecord]:
    with opened(url, runs) as engine:
        return dict(engine.map(enumerate(request(word) for word in words)))


_WORDS = ["ok-1", "big", "loop-1", "fail", "slow-1", "ok-2", "loop-2", "nap-1"]


def test_records_are_those_of_the_local_engine(cluster: Cluster, runs: Path) -> None:
    """Where a case ran can't be told from its record."""
    there = grade(cluster.url, runs, _WORDS)
    for name in runs.iterdir():
        name.unlink()
    assert there == grade("local", runs, _WORDS)
    assert there[4].ending is Ending.EXITED
    assert there[3].ending is Ending.SANDBOX_FAILED


def test_time_outs_come_last_and_ran_twice(cluster: Cluster, runs: Path) -> None:
    """Every time-out is confirmed before it is given out, after the neighbours' verdicts."""
    with opened(cluster.url, runs) as engine:
        keys = [
            key for key, _ in engine.map(enumerate(request(word) for word in ["loop-1", *["ok-1"] * 9, "loop-2"]))
        ]
    assert set(keys[-2:]) == {0, 10}
    assert len(list(runs.glob("loop-*"))) == 4


def test_requests_are_drawn_only_a_few_ahead(cluster: Cluster, runs: Path) -> None:
    """The client's memory stays flat, and closing the map stops the drawing."""
    drawn = 0

    def endless() -> Iterator[tuple[int, RunRequest]]:
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn, request("ok-1")

    with opened(cluster.url, runs) as engine:
        results = engine.map(endless())
        for given_out in range(1, 31):
            next(results)
            assert drawn <= given_out + 2 * 4
        results.close()  # type: ignore[attr-defined] # it is a generator, and closing it is what is tested


def test_a_lost_workers_cases_run_again_elsewhere(cluster: Cluster, runs: Path) -> None:
    """A worker killed in mid-run costs nothing but time."""
    words = [f"nap-{number}" for number in range(60)]
    found: dict[int, RunRecord] = {}
    victim = cluster.workers[0]
    with opened(cluster.url, runs) as engine:
        for key, record in engine.map(enumerate(request(word) for word in words)):
            found[key] = record
            if len(found) == 15:
                victim.send_signal(signal.SIGKILL)
    assert victim.wait(_PATIENCE_S) == -signal.SIGKILL
    assert [found[key].stdout.content().decode() for key in range(60)] == [str(number) for number in range(60)]
    ran_by = {int(name.name.split(".")[1]) for name in runs.iterdir()}
    assert ran_by == {worker.pid for worker in cluster.workers[:2]}
    cluster.workers[0] = cluster.add_worker()


def test_the_store_wraps_a_cluster_too(cluster: Cluster, runs: Path, tmp_path: Path) -> None:
    """What a cluster ran, no engine runs again."""
    pairs = [(number, request(f"ok-{number}")) for number in range(10)]
    with opened(cluster.url, runs) as inner, closing(RunStore(tmp_path / "store")) as store:
        first = dict(StoredEngine(inner, store).map(pairs))
    ran = len(list(runs.iterdir()))
    with opened("local", runs) as inner, closing(RunStore(tmp_path / "store")) as store:
        assert dict(StoredEngine(inner, store).map(pairs)) == first
    assert len(list(runs.iterdir())) == ran == 10


def test_a_cluster_of_this_machine_needs_no_scheduler(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--engine dask` starts workers, and leaves none behind."""
    monkeypatch.setenv("PYTHONPATH", str(_HERE))
    found = grade("dask", runs, ["ok-1", "ok-2", "nap-3"])
    assert [found[key].stdout.content() for key in range(3)] == [b"1", b"2", b"3"]
    ran_by = {int(name.name.split(".")[1]) for name in runs.iterdir()}
    assert os.getpid() not in ran_by
    assert not any(Path(f"/proc/{process}").exists() for process in ran_by)


def test_an_absent_scheduler_is_a_clear_error(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who mistyped the address reads the address, not a traceback."""
    monkeypatch.setattr("grader.engines.dask._CONNECT_S", 0.5)
    with pytest.raises(UsageError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        grade("dask://127.0.0.1:9", runs, [])


def test_workers_of_another_version_are_refused() -> None:
    """Marks don't depend on where a case ran."""
    wall = Isolation(level="isolated")
    other = msgspec.structs.replace(describe(wall), python="3.9.1")
    with pytest.raises(UsageError, match=r"worker tcp://b .* Python 3\.9\.1"):
        agree({"tcp://a": describe(wall), "tcp://b": other})


def test_the_weakest_wall_speaks_for_the_cluster() -> None:
    """A report never claims more isolation than every case had."""
    strong, weak = Isolation(level="isolated"), Isolation(level="limited")
    assert agree({"a": describe(strong), "b": describe(weak)}) == weak


@pytest.mark.parametrize("url", ["", "loacl", "local:", "local:0", "local:x", "local:-1", "http://x"])
def test_an_unknown_engine_is_a_clear_error(url: str) -> None:
    """A typing error names what is known."""
    with pytest.raises(UsageError, match="unknown engine"):
        open_engine(url, recipe=SandboxRecipe())


def test_without_the_extra_the_command_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package is one command away."""
    monkeypatch.setattr("grader.engines.open.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'maze-grader\[dask\]'"):
        open_engine("dask", recipe=SandboxRecipe())


@pytest.mark.parametrize("bits", [1, 62, 63, 64, 65, 20_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_of_any_size_survive_the_wire(bits: int, sign: int) -> None:
    """A student's huge answer reaches the judge unchanged."""
    number = sign << bits
    record = RunRecord(ending=Ending.EXITED, replies=(Reply(value=[{"a": number}]),))
    assert wire.decode_record(wire.encode(record)) == record
    asked = RunRequest(how=Program(main="a.py", stdin=b"\xff"), files=())
    assert wire.decode_request(wire.encode(asked)) == asked
