"""Promises of the engines around the real sandbox."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from grader.engines.local import open_engine
from grader.engines.worker import SandboxFactory
from grader.model.run import File, Limits, Program, RunRecord, RunRequest, Usage
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator

FACTORY = SandboxFactory(factory="grader.sandbox.open:open_sandbox", options={})
_ECHO = b"import sys\nprint(input()[::-1], *sys.argv[1:])\n"
_EXIT = b"print('so far')\nraise SystemExit(3)\n"
_LOOP = b"print('on and on', flush=True)\nwhile True: pass\n"


def program(source: bytes, *, argv: tuple[str, ...] = (), cpu_s: float = 10.0) -> RunRequest:
    how = Program(main="solution.py", argv=argv, stdin=b"maze\n")
    limits = Limits(cpu_s=cpu_s, wall_s=60.0)
    return RunRequest(how=how, files=(File(path="solution.py", content=source),), limits=limits)


def requests() -> Iterator[tuple[str, RunRequest]]:
    for number in range(8):
        yield f"echo {number}", program(_ECHO, argv=(str(number),))
    yield "exit", program(_EXIT)
    yield "loop", program(_LOOP, cpu_s=0.3)


def grade(url: str) -> dict[str, RunRecord]:
    engine = open_engine(url, factory=FACTORY, workers=2)
    try:
        return dict(engine.map(requests()))
    finally:
        engine.close()


def facts(record: RunRecord) -> RunRecord:
    """Give the record without what differs from run to run."""
    return msgspec.structs.replace(record, usage=Usage())


def descendants() -> set[int]:
    """Give the processes below this one."""
    found: set[int] = set()
    pending = [os.getpid()]
    while pending:
        for tasks in Path(f"/proc/{pending.pop()}/task").glob("*/children"):
            try:
                children = [int(word) for word in tasks.read_text().split()]
            except OSError:
                continue
            pending += children
            found.update(children)
    return found


def test_programs_run_and_their_records_are_their_own() -> None:
    """Eight programs on two workers print what each was told to."""
    found = grade("local")
    assert [found[f"echo {number}"].stdout.content() for number in range(8)] == [
        f"ezam {number}\n".encode() for number in range(8)
    ]
    assert found["loop"].ending is Ending.CPU_LIMIT
    assert found["exit"].exit_status == 3


def test_a_cluster_gives_the_very_same_facts() -> None:
    """Local and dask engines differ in nothing but the times."""
    here, there = grade("local"), grade("dask")
    assert {key: facts(record) for key, record in here.items()} == {key: facts(one) for key, one in there.items()}


@pytest.mark.needs("proc")
def test_closing_in_mid_run_leaves_no_process() -> None:
    """A loop that would go on for a minute is gone when the engine is closed."""
    before = descendants()
    engine = open_engine("local", factory=FACTORY, workers=2)
    loops = [("echo", program(_ECHO)), *((str(number), program(_LOOP, cpu_s=50.0)) for number in range(3))]
    results = engine.map(loops)
    assert next(results)[0] == "echo"
    results.close()  # type: ignore[attr-defined] # it is a generator, and closing it is what is tested
    engine.close()
    until = time.monotonic() + 30
    while descendants() - before and time.monotonic() < until:
        time.sleep(0.05)
    assert descendants() - before == set()
    assert not [thread for thread in threading.enumerate() if thread.name == "grader-worker"]


_KILLED = """
import sys
sys.path[:0] = [{tests!r}]
from test_engines_real import FACTORY, _LOOP, program
from grader.engines.local import open_engine
engine = open_engine("local:1", factory=FACTORY)
print(engine.isolation.level, flush=True)
list(engine.map([(0, program(b"print(1)")), (1, program(_LOOP, cpu_s=50.0))]))
"""


@pytest.mark.needs("proc")
def test_a_killed_grader_leaves_no_orphan(tmp_path: Path) -> None:
    """Kill -9 of the grader ends its sandboxes and the programs in them."""
    script = _KILLED.format(tests=str(Path(__file__).parent))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        until = time.monotonic() + 30
        while not _below(process.pid) and time.monotonic() < until:
            time.sleep(0.02)
        orphans = _below(process.pid)
        process.kill()
    assert orphans
    while any(map(_lives, orphans)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [orphan for orphan in orphans if _lives(orphan)]


def _below(process: int) -> set[int]:
    files = Path(f"/proc/{process}/task").glob("*/children")
    children = {int(word) for file in files for word in file.read_text().split()}
    return children.union(*(_below(child) for child in children))


def _lives(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"
