"""Row 5: how time, memory and output grow with the class."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import exponent
from bench.commands import grade
from bench.row import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.commands import Cost

_CASES = 4


RUNS = 2
"""It takes longer than most rows."""


def measure(*, quick: bool) -> Iterator[Row]:
    sizes = (10, 100) if quick else (10, 100, 1000)
    costs, outputs = zip(*map(_cost, sizes), strict=True)
    times = ", ".join(f"{cost.wall_s:.1f}" for cost in costs)
    peaks = ", ".join(f"{cost.peak_mib:.0f}" for cost in costs)
    command = "grader grade class -a lefthand"
    yield Row(
        number="5a",
        what=f"{', '.join(map(str, sizes))} submissions × {_CASES} cases: exponent of the time",
        instead=command,
        score=at_most(exponent(sizes, [cost.wall_s for cost in costs]), 1.02),
        detail=f"{times} s",
    )
    yield Row(
        number="5b",
        what="parent's peak memory, largest class ÷ smallest",
        instead=command,
        score=at_most(costs[-1].peak_mib / costs[0].peak_mib, 1.2),
        detail=f"{peaks} MiB",
    )
    yield Row(
        number="5c",
        what="bytes written for a submission, largest class ÷ smallest",
        instead=command,
        score=at_most(outputs[-1] / outputs[0], 1.0),
        detail=", ".join(f"{size / 1024:.0f}" for size in outputs) + " KiB",
    )


def _cost(size: int) -> tuple[Cost, float]:
    """Return what a class costs, and the bytes that each submission's files take."""
    with TemporaryDirectory() as name:
        cost = grade(course.make(Path(name), submissions=size, cases=_CASES))
        return cost, sum(file.stat().st_size for file in Path(name, "out").rglob("*") if file.is_file()) / size
