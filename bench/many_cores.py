"""Row 2: what one machine of 64 cores would do, by a model of what was measured on one core and on all of them.

    cases a second on n cores = the least of
        n × (those of one core) × (how well all cores of this machine add up)   the cases' own work
        1 ÷ (the parent's processor time for a case of a grade)                 the one interpreter they share

That one parent can watch 64 cases at once is measured, with cases that wait instead of work.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import seconds
from bench.commands import CORES, command_for, environment
from bench.row import Row, at_most, plain
from bench.solved import requests, run_all
from grader.engines.by_url import open_engine
from grader.model.run import File, Program, RunRequest
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.solved import Key

_CORES = 64
_WAIT_S = 1.0
_CASES = 10
_GRADER = """
import sys, time
from grader.cli.group import run
status = run(sys.argv[1:])
print(time.process_time(), file=sys.stderr)
sys.exit(status)
"""


def measure(*, quick: bool) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        asked = tuple(requests(course.make(Path(name), submissions=10 if quick else 60, cases=5)))
        with _on({min(os.sched_getaffinity(0))}):
            alone = _rate(asked, workers=1)
        together = _rate(asked, workers=2 * CORES)
    parent_s = _parent_s(*((5, 15) if quick else (20, 80)))
    adding = together / (CORES * alone)
    work, shared = _CORES * alone * adding, 1 / parent_s
    yield Row(
        number="2b",
        what=f"{_CORES} cores by the model: cases per second",
        instead="this machine",
        score=plain(min(work, shared)),
        detail=f"1 core {alone:.0f}/s, {CORES} cores {together:.0f}/s; {_CORES} cores {work:.0f}/s by work, "
        f"{shared:.0f}/s by the parent's {parent_s * 1e3:.2f} ms",
    )
    waiters, rounds = 8 if quick else _CORES, 2
    waited, least = _waited(waiters, rounds), rounds * (_WAIT_S + waiters / together)
    yield Row(
        number="2c",
        what=f"{waiters} workers in one parent, each with cases that wait {_WAIT_S:g} s",
        instead="the wait, and the cases' own work on these cores",
        score=at_most(waited / least, 1.1),
        detail=f"{rounds} rounds: {waited:.2f} s ÷ {least:.2f} s",
    )


def _rate(asked: Sequence[tuple[Key, RunRequest]], workers: int) -> float:
    """Return cases per second."""
    with closing(open_engine("local", factory=sandbox_factory(), workers=workers)) as engine:
        run_all(engine, asked[: 20 * workers])
        return len(asked) / seconds(lambda: run_all(engine, asked))


def _parent_s(few: int, many: int) -> float:
    """Return the grader's own processor time for one case more: what readers and cases spend is theirs."""
    return (_grader_s(many) - _grader_s(few)) / ((many - few) * _CASES)


def _grader_s(people: int) -> float:
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=_CASES)
        _, _, _, *words = command_for(made.folder, "lefthand", "--cases", str(made.cases))
        command = [sys.executable, "-c", _GRADER, *words]
        more = {"XDG_CACHE_HOME": str(made.folder / "cache")}
        done = subprocess.run(command, env=environment() | more, capture_output=True, text=True, check=True)
    return float(done.stderr.split()[-1])


def _waited(workers: int, rounds: int) -> float:
    """Return the seconds for so many rounds of cases that wait, when every worker has its sandbox."""
    source = f"import time\ntime.sleep({_WAIT_S})\n".encode()
    request = RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=source),))
    with closing(open_engine("local", factory=sandbox_factory(), workers=workers)) as engine:
        run_all(engine, [((0, number), request) for number in range(2 * workers)])
        return seconds(lambda: run_all(engine, [((0, number), request) for number in range(rounds * workers)]))


@contextmanager
def _on(cores: set[int]) -> Iterator[None]:
    """Keep this process, and whatever it starts, on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
