"""Row 5: how time and memory grow with the class, and a grade that is killed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import TYPE_CHECKING

from bench import course
from bench.clock import exponent
from bench.commands import command_for, environment, grade
from bench.row import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.commands import Cost

_CASES = 28
RUNS = 1
"""It takes minutes."""


def measure(*, quick: bool) -> Iterator[Row]:
    sizes = (20, 200) if quick else (1000, 10_000)
    costs = [_cost(size) for size in sizes]
    yield Row(
        number="5a",
        what=f"{sizes[0]} and {sizes[1]} submissions × 1 case: exponent of the time",
        instead="grader grade class -a lefthand",
        score=at_most(exponent(sizes, [cost.wall_s for cost in costs]), 1.02),
        detail=", ".join(f"{cost.wall_s:.1f}" for cost in costs) + " s",
    )
    yield Row(
        number="5b",
        what=f"the parent's peak memory for {sizes[1]} submissions, MiB",
        instead="grader grade class -a lefthand",
        score=at_most(costs[-1].peak_mib, 100),
        detail=", ".join(f"{cost.peak_mib:.0f}" for cost in costs) + " MiB",
    )
    yield _resumed(20 if quick else 800)


def _cost(size: int) -> Cost:
    with TemporaryDirectory() as name:
        return grade(course.make(Path(name), submissions=size, cases=1))


def _resumed(size: int) -> Row:
    """Kill a grade at half of its time, and grade again."""
    with TemporaryDirectory() as name, TemporaryDirectory() as other:
        whole = grade(course.make(Path(name), submissions=size, cases=_CASES)).wall_s
        made = course.make(Path(other), submissions=size, cases=_CASES)
        with subprocess.Popen(
            command_for(made.folder, "lefthand", "--cases", str(made.cases)),
            env=environment() | {"XDG_CACHE_HOME": str(made.folder / "cache")},
            stdout=subprocess.DEVNULL,
        ) as process:
            sleep(whole / 2)
            process.kill()
        rest = grade(made).wall_s
    return Row(
        number="5c",
        what=f"after kill -9 at half of the time, {size} submissions × {_CASES} cases",
        instead="the whole grade",
        score=at_most(rest / whole, 0.75),
        detail=f"{rest:.1f} s ÷ {whole:.1f} s",
    )
