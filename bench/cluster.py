"""Row 8: dask with two and with four workers against the local engine with as many, both warm."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import medians
from bench.row import Row, at_most
from bench.solved import requests, run_all
from grader.engines.by_url import open_engine
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.solved import Key
    from grader.model.run import RunRequest


def measure(*, quick: bool) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        asked = tuple(requests(course.make(Path(name), submissions=10 if quick else 200, cases=5)))
        for letter, workers in (("a", 2), ("b", 4)):
            local, dask = _times(asked, workers)
            yield Row(
                number=f"8{letter}",
                what=f"dask with {workers} workers on this machine",
                instead=f"--engine local:{workers}",
                score=at_most(dask / local, 1.2),
                detail=f"{len(asked)} cases: {dask:.2f} s ÷ {local:.2f} s",
            )


def _times(asked: Sequence[tuple[Key, RunRequest]], workers: int) -> tuple[float, ...]:
    here, there = (open_engine(url, factory=sandbox_factory(), workers=workers) for url in ("local", "dask"))
    with closing(here), closing(there):
        for engine in (here, there):  # every worker has its sandbox
            run_all(engine, asked[: 20 * workers])
        return medians(lambda: run_all(here, asked), lambda: run_all(there, asked), rounds=1, warms_up=False)
