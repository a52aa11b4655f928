"""Promises of the dask engine, kept with a real scheduler and real workers as processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clusters import HERE, PATIENCE_S, ROOT, Cluster, opened, ran_by, request

from grader.engines.local import open_engine
from grader.engines.worker import SandboxFactory
from grader.errors import UsageError
from grader.model import wire
from grader.model.run import Program, Reply, RunRecord, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["engine_fixtures"]


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
    assert there[2].ending is Ending.CPU_LIMIT
    assert there[3].raised is not None


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
    assert victim.wait(PATIENCE_S) == -signal.SIGKILL
    assert [found[key].stdout.content().decode() for key in range(60)] == [str(number) for number in range(60)]
    assert ran_by(runs) == {worker.pid for worker in cluster.workers[:2]}
    cluster.workers[0] = cluster.add_worker()


def test_a_cluster_of_this_machine_needs_no_scheduler(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--engine dask` starts workers, and leaves none behind."""
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    found = grade("dask", runs, ["ok-1", "ok-2", "nap-3"])
    assert [found[key].stdout.content() for key in range(3)] == [b"1", b"2", b"3"]
    assert os.getpid() not in ran_by(runs)
    assert not any(Path(f"/proc/{process}").exists() for process in ran_by(runs))


def test_an_absent_scheduler_is_a_clear_error(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who mistyped the address reads the address, not a traceback."""
    monkeypatch.setattr("grader.engines.dask._CONNECT_S", 0.5)
    with pytest.raises(UsageError, match=r"no dask scheduler answers at tcp://127\.0\.0\.1:9"):
        grade("dask://127.0.0.1:9", runs, [])


@contextmanager
def joined(cluster: Cluster, tree: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Have one more worker that runs the harness of this tree."""
    before = len(cluster.addresses())
    worker = cluster.add_worker(tree)
    cluster.wait_for(lambda: len(cluster.addresses()) > before)
    try:
        yield worker
    finally:
        worker.kill()
        cluster.wait_for(lambda: len(cluster.addresses()) == before)


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Return a copy of the harness."""
    tree = tmp_path / "other"
    for name in ("grader", "templates"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    time.sleep(0.1)  # what was written after a worker's start has changed under it
    return tree


def change(tree: Path) -> None:
    path = tree / "grader" / "errors.py"
    path.write_text(path.read_text() + "# of the same version, but not the same\n")


def test_a_worker_of_other_source_ends_the_command(cluster: Cluster, runs: Path, other: Path) -> None:
    """Marks don't depend on where a case ran; the version's name says nothing."""
    change(other)
    with joined(cluster, other), pytest.raises(UsageError, match=r"the worker tcp://.* of other source"):
        grade(cluster.url, runs, ["ok-1"])
    assert not list(runs.iterdir())


@pytest.mark.parametrize("is_changed", [True, False])
def test_a_worker_that_joins_late_is_asked_first(
    cluster: Cluster, runs: Path, other: Path, *, is_changed: bool
) -> None:
    """Of other source it gets nothing to run, of the same it helps."""
    if is_changed:
        change(other)
    done = 0
    with opened(cluster.url, runs) as engine, ExitStack() as stack:
        late = None
        for _ in engine.map((number, request(f"nap-{number}")) for number in count()):
            done += 1
            late = late or stack.enter_context(joined(cluster, other))
            if (done > 200 and is_changed) or late.pid in ran_by(runs):
                break
    assert late is not None
    assert (late.pid in ran_by(runs)) is not is_changed


def test_a_worker_whose_source_changes_gets_no_more(cluster: Cluster, runs: Path, other: Path) -> None:
    """What was replaced on disk while the worker lives is neither the old source nor the new."""
    with opened(cluster.url, runs) as engine, joined(cluster, other) as worker:
        for _ in range(20):  # on a busy machine the others may be quicker
            assert len(dict(engine.map(enumerate(request(f"nap-{number}") for number in range(40))))) == 40
            if worker.pid in ran_by(runs):
                break
        assert worker.pid in ran_by(runs)
        change(other)
        time.sleep(3)  # as long as a worker believes in what it has seen
        for name in runs.iterdir():
            name.unlink()
        found = dict(engine.map(enumerate(request(f"nap-{number}") for number in range(40))))
        assert {record.ending for record in found.values()} == {Ending.EXITED}
        assert worker.pid not in ran_by(runs)


def test_a_scheduler_that_dies_is_told_in_a_sentence(tmp_path: Path) -> None:
    """No traceback of another library's stands beside our own words."""
    with ExitStack() as stack:
        cluster = Cluster(tmp_path, stack)
        command = [sys.executable, "-c", _LONG, cluster.url, str(tmp_path)]
        client = subprocess.Popen(command, env=cluster.environment(), stderr=subprocess.PIPE, text=True)
        cluster.wait_for(lambda: list(tmp_path.glob("nap-*")))
        cluster.scheduler.kill()
        _, said = client.communicate(timeout=PATIENCE_S)
    assert said == "the dask scheduler is gone\n  Start it and its workers again, and grade again.\n"


_LONG = """
import sys
from itertools import count
from pathlib import Path
from clusters import opened, request
from grader.errors import GraderError
try:
    with opened(sys.argv[1], Path(sys.argv[2])) as engine:
        for _ in engine.map((number, request(f"nap-{number}")) for number in count()):
            pass
except GraderError as error:
    print(error, file=sys.stderr)
"""


@pytest.mark.parametrize("url", ["", "loacl", "local:", "local:0", "local:x", "local:-1", "http://x"])
def test_an_unknown_engine_is_a_clear_error(url: str) -> None:
    """A typing error names what is known."""
    with pytest.raises(UsageError, match="unknown engine"):
        open_engine(url, factory=SandboxFactory())


def test_without_the_extra_the_command_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing package is one command away."""
    monkeypatch.setattr("grader.engines.local.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'maze-grader\[dask\]'"):
        open_engine("dask", factory=SandboxFactory())


@pytest.mark.parametrize("bits", [1, 62, 63, 64, 65, 20_000])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_of_any_size_survive_the_wire(bits: int, sign: int) -> None:
    """A student's huge answer reaches the judge unchanged."""
    number = sign << bits
    record = RunRecord(ending=Ending.EXITED, replies=(Reply(value=[{"a": number}]),))
    assert wire.decode_record(wire.encode(record)) == record
    asked = RunRequest(how=Program(main="a.py", stdin=b"\xff"), files=())
    assert wire.decode_request(wire.encode(asked)) == asked
