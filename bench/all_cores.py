"""Row 2: cases per second on all cores against `xargs -P` of plain Python."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import medians
from bench.commands import CORES, STDIN, plain_python
from bench.row import Row, at_least
from bench.solved import requests, run_all
from grader.engines.by_url import open_engine
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator


def measure(*, quick: bool) -> Iterator[Row]:
    engine = open_engine("local", factory=sandbox_factory())
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = course.make(folder, submissions=10 if quick else 40, cases=5)
        asked = tuple(requests(made))
        (folder / "maze.txt").write_text(made.mazes[2])
        (folder / "name.txt").write_bytes(STDIN)
        line = f"exec {plain_python()} class/s{{}}/maze_solver.py <name.txt >/dev/null"
        numbers = "".join(f"{number:04}\n" for number in range(len(made.submissions)) for _ in made.mazes)
        ours, typed = medians(
            lambda: run_all(engine, asked),
            lambda: subprocess.run(
                ["xargs", "-P", str(CORES), "-I{}", "sh", "-c", line], cwd=folder, input=numbers.encode(), check=True
            ),
            rounds=2 if quick else 3,
        )
    level = engine.isolation.level
    engine.close()
    rate = len(asked) / ours
    yield Row(
        number="2",
        what=f"cases per second, {CORES} cores, {level}",
        instead=f"seq … | xargs -P {CORES} python3 maze_solver.py",
        score=at_least(typed / ours, 4),
        detail=f"{rate:.0f}/s ÷ {len(asked) / typed:.0f}/s",
    )
