"""Row 5: how time and memory grow with the class."""

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


def measure(*, quick: bool) -> Iterator[Row]:
    sizes = (10, 100) if quick else (10, 100, 1000)
    costs = [_cost(size) for size in sizes]
    times = ", ".join(f"{cost.wall_s:.1f}" for cost in costs)
    peaks = ", ".join(f"{cost.peak_mib:.0f}" for cost in costs)
    yield Row(
        number="5a",
        what=f"{', '.join(map(str, sizes))} submissions × {_CASES} cases: exponent of the time",
        instead="grader grade class -a lefthand",
        score=at_most(exponent(sizes, [cost.wall_s for cost in costs]), 1.05),
        detail=f"{times} s",
    )
    yield Row(
        number="5b",
        what="parent's peak memory, largest class ÷ smallest",
        instead="grader grade class -a lefthand",
        score=at_most(costs[-1].peak_mib / costs[0].peak_mib, 1.2),
        detail=f"{peaks} MiB",
    )


def _cost(size: int) -> Cost:
    with TemporaryDirectory() as name:
        return grade(course.make(Path(name), submissions=size, cases=_CASES))
