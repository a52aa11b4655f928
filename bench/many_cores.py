"""Row 2: what one machine of 64 cores would do, by a model of what was measured on one core and on all of them.

    cases a second on n cores = the least of
        n × (those of one core) × (how well all cores of this machine add up)   the cases' own work
        1 ÷ (the parent's processor time for a case)                            the one interpreter they share

That one parent can watch 64 cases at once is measured, with cases that wait instead of work.
"""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from bench import course
from bench.commands import CORES
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


def measure(*, quick: bool) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        asked = tuple(requests(course.make(Path(name), submissions=10 if quick else 60, cases=5)))
        with _on({min(os.sched_getaffinity(0))}):
            alone, _ = _rate(asked, workers=1)
        together, parent_s = _rate(asked, workers=2 * CORES)
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
    waiters = 8 if quick else _CORES
    yield Row(
        number="2c",
        what=f"{waiters} workers in one parent, each with cases that wait {_WAIT_S:g} s",
        instead="the wait alone",
        score=at_most(_waited(waiters, rounds=2) / (2 * _WAIT_S), 1.1),
    )


def _rate(asked: Sequence[tuple[Key, RunRequest]], workers: int) -> tuple[float, float]:
    """Return cases per second, and the parent's seconds of processor time for each."""
    with closing(open_engine("local", factory=sandbox_factory(), workers=workers)) as engine:
        run_all(engine, asked[: 20 * workers])
        spent, begun = process_time(), perf_counter()
        run_all(engine, asked)
        return len(asked) / (perf_counter() - begun), (process_time() - spent) / len(asked)


def _waited(workers: int, rounds: int) -> float:
    """Return the seconds for so many rounds of cases that wait, when every worker has its sandbox."""
    source = f"import time\ntime.sleep({_WAIT_S})\n".encode()
    request = RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=source),))
    with closing(open_engine("local", factory=sandbox_factory(), workers=workers)) as engine:
        run_all(engine, [((0, number), request) for number in range(2 * workers)])
        begun = perf_counter()
        run_all(engine, [((0, number), request) for number in range(rounds * workers)])
        return perf_counter() - begun


@contextmanager
def _on(cores: set[int]) -> Iterator[None]:
    """Keep this process, and whatever it starts, on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
