"""Promises of the local engine, kept with a sandbox that is a plain subprocess or a script of endings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from clusters import request

from grader.engines.local import LocalEngine
from grader.errors import SandboxError
from grader.model.result import Isolation
from grader.model.run import Program, RunRecord, RunRequest, Stream
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox


class Course:
    """A factory of sandboxes that act on the request's word, and the log of what they did."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.opened: list[tuple[str, ...]] = []
        self.closed = 0
        self.now = 0
        self.runs: list[tuple[str, int]] = []
        self.is_full = False

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Sandbox:
        with self.lock:
            self.opened.append(packages)
        return Scripted(self)


class Scripted:
    def __init__(self, course: Course) -> None:
        self.course = course
        self.isolation = Isolation(level="none")
        self.shut = threading.Event()

    def run(self, request: RunRequest) -> RunRecord:
        assert isinstance(request.how, Program)
        word = request.how.argv[0]
        with self.course.lock:
            self.course.now += 1
            neighbours = self.course.now - 1
            again = any(word == before for before, _ in self.course.runs)
            self.course.runs.append((word, neighbours))
        try:
            return self.act(word, again=again)
        finally:
            with self.course.lock:
                self.course.now -= 1

    def act(self, word: str, *, again: bool) -> RunRecord:
        kind = word.split("-", maxsplit=1)[0]
        if kind == "hang":
            self.shut.wait(60)
        if self.course.is_full or kind == "broken" or (kind == "shaky" and not again):
            raise OSError("no more room")
        return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(word.encode()))

    def close(self) -> None:
        """Count the first time: closing what is closed does nothing."""
        with self.course.lock:
            self.course.closed += not self.shut.is_set()
            self.shut.set()


@pytest.fixture
def course() -> Course:
    return Course()


def grade(course: Course, words: list[str], *, workers: int = 2) -> list[tuple[int, RunRecord]]:
    engine = LocalEngine(course, workers=workers)
    try:
        return list(engine.map(enumerate(request(word) for word in words)))
    finally:
        engine.close()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_request_comes_back_once_with_its_key(course: Course, workers: int) -> None:
    """No record is lost, doubled or given to another's key."""
    words = [f"ok-{number}" for number in range(50)]
    found = grade(course, words, workers=workers)
    assert sorted((key, record.stdout.content().decode()) for key, record in found) == list(enumerate(words))
    assert len(course.opened) <= workers


@pytest.mark.parametrize(("requests", "workers"), [(1, 1), (20, 2), (65, 3), (400, 4)])
def test_workers_beyond_the_cores_come_with_the_work(course: Course, requests: int, workers: int) -> None:
    """A few cases don't wait for sandboxes that only a large batch is worth; each holds until it is needed."""
    engine = LocalEngine(course, workers=2, more=2)
    found = list(engine.map((number, request(f"ok-{number}")) for number in range(requests)))
    threads = [thread for thread in threading.enumerate() if thread.name == "grader-worker"]
    engine.close()
    assert len(found) == requests
    assert len(threads) == workers
    assert not any(thread.is_alive() for thread in threads)


def test_one_worker_keeps_the_order_of_the_requests(course: Course) -> None:
    """First in, first out: the order is the pipeline's to choose."""
    assert [key for key, _ in grade(course, ["ok"] * 20, workers=1)] == list(range(20))


def test_a_failure_that_a_control_shares_is_ours(course: Course) -> None:
    """A machine on which nothing runs blames nobody, and the others' records still come."""
    course.is_full = True
    found = dict(grade(course, ["ok-1", "broken", "ok-2"]))
    assert {record.ending for record in found.values()} == {Ending.SANDBOX_FAILED}
    assert found[1].detail == "OSError: no more room"


def test_a_broken_sandbox_is_replaced_and_tried_once_more(course: Course) -> None:
    """A failure that doesn't come again costs nobody a judge error."""
    [(_, record)] = grade(course, ["shaky"], workers=1)
    assert record.ending is Ending.EXITED
    assert len(course.opened) == course.closed == 2


def test_a_sandbox_that_cannot_open_is_told_before_anything_runs() -> None:
    """Asking for the isolation raises the sandbox's own words."""

    def refuse(*, packages: tuple[str, ...] = ()) -> Sandbox:
        raise SandboxError("no user namespaces here")

    engine = LocalEngine(refuse, workers=1)
    with pytest.raises(SandboxError, match="no user namespaces"):
        _ = engine.isolation
    [(_, record)] = engine.map([(0, request())])
    engine.close()
    assert record.ending is Ending.SANDBOX_FAILED


def test_requests_can_pause_until_a_record_is_back(course: Course) -> None:
    """None among the requests says: nothing before another record; so one request can run alone."""
    back: list[int] = []

    def paced() -> Iterator[tuple[int, RunRequest] | None]:
        for number in range(6):
            yield number, request(f"ok-{number}")
            while len(back) <= number:
                yield None

    engine = LocalEngine(course, workers=3)
    for key, _ in engine.map(paced()):
        back.append(key)
    engine.close()
    assert back == list(range(6))
    assert {neighbours for _, neighbours in course.runs} == {0}


def test_a_program_that_breaks_every_sandbox_has_itself_to_blame(course: Course) -> None:
    """Two fresh sandboxes failed, and another program ran well after each: the ending is the program's."""
    [(_, record)] = grade(course, ["broken"], workers=1)
    assert (record.ending, record.exit_status) == (Ending.EXITED, 1)
    assert record.raised is not None
    assert record.raised.type == "BrokenSandbox"
    assert [word for word, _ in course.runs] == ["broken", "broken", "ok", "broken", "ok"]


def test_each_set_of_packages_has_its_own_sandbox(course: Course) -> None:
    """What one assignment may import, another can't."""
    engine = LocalEngine(course, workers=1)
    wanted = [(), ("numpy",), (), ("numpy",)]
    list(engine.map(enumerate(request(packages=packages) for packages in wanted)))
    engine.close()
    assert course.opened == [(), ("numpy",)]
    assert course.closed == 2


def test_many_sets_of_packages_do_not_pile_up(course: Course) -> None:
    """Only the sandboxes used last stay open."""
    engine = LocalEngine(course, workers=1)
    list(engine.map((number, request(packages=(str(number),))) for number in range(9)))
    assert len(course.opened) - course.closed == 3
    engine.close()
    assert len(course.opened) == course.closed


def test_closing_ends_runs_threads_and_sandboxes(course: Course) -> None:
    """An engine closed in mid-run leaves nothing behind."""
    before = threading.active_count()
    engine = LocalEngine(course, workers=2)
    results = engine.map(enumerate(request(word) for word in ["ok", "hang-1", "hang-2", "ok"]))
    assert next(results)[1].ending is Ending.EXITED
    results.close()  # type: ignore[attr-defined] # it is a generator, and closing it is what is tested
    engine.close()
    assert threading.active_count() == before
    assert course.closed == len(course.opened)


def test_an_engine_serves_several_maps(course: Course) -> None:
    """Sandboxes stay warm from one map to the next."""
    engine = LocalEngine(course, workers=1)
    assert len(list(engine.map([(0, request())]))) == len(list(engine.map([(1, request())]))) == 1
    engine.close()
    assert len(course.opened) == 1


_INTERRUPTED = """
import sys, threading
sys.path[:0] = [{tests!r}]
from clusters import request
from test_engines_local import Course
from grader.engines.local import LocalEngine
engine = LocalEngine(Course(), workers=2)
try:
    for key, record in engine.map(enumerate(request(word) for word in ["ok", "hang-1", "hang-2"] + ["ok"] * 50)):
        print(key, flush=True)
except KeyboardInterrupt:
    engine.close()
    print("stopped", threading.active_count(), flush=True)
"""


def test_control_c_stops_a_run_in_the_middle(tmp_path: Path) -> None:
    """An interrupt reaches the consumer although its workers hang, and close leaves one thread."""
    script = tmp_path / "interrupted.py"
    script.write_text(_INTERRUPTED.format(tests=str(Path(__file__).parent)))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        os.kill(process.pid, signal.SIGINT)
        rest = process.stdout.read().splitlines()
        assert rest[-1] == "stopped 1"
    assert process.returncode == 0
