"""Row 8: dask with two workers against the local engine with two, both warm."""

from __future__ import annotations

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
    from collections.abc import Iterator


def measure(*, quick: bool) -> Iterator[Row]:
    here, there = (open_engine(url, factory=sandbox_factory(), workers=2) for url in ("local:2", "dask"))
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=10 if quick else 200, cases=5)
        asked = tuple(requests(made))
        local, dask = medians(lambda: run_all(here, asked), lambda: run_all(there, asked), rounds=2)
    here.close()
    there.close()
    yield Row(
        number="8",
        what="dask with 2 workers on this machine",
        instead="--engine local:2",
        score=at_most(dask / local, 1.2),
        detail=f"{len(asked)} cases: {dask:.2f} s ÷ {local:.2f} s",
    )
