"""Row 5: how time, memory and output grow with the class, and what a killed grade costs."""

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
    yield _resumed(20 if quick else 200)


def _cost(size: int) -> tuple[Cost, float]:
    """Return what a class costs, and the bytes that each submission's files take."""
    with TemporaryDirectory() as name:
        cost = grade(course.make(Path(name), submissions=size, cases=_CASES))
        return cost, sum(file.stat().st_size for file in Path(name, "out").rglob("*") if file.is_file()) / size


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
        number="5d",
        what=f"after kill -9 at half of the time, {size} submissions",
        instead="the whole grade",
        score=at_most(rest / whole, 0.55),
        detail=f"{rest:.1f} s ÷ {whole:.1f} s",
    )
