"""Row 2: cases per second on all cores against `xargs -P` of plain Python.

Row 2b has the same programs in bare forks of a warm interpreter per core (bare.py), which neither isolates nor
supervises: no grader that gives each case a process can do more than that.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import medians
from bench.commands import CORES, STDIN, plain_python
from bench.row import Row, at_least, plain
from bench.solved import requests, run_all
from grader.engines.local import open_engine
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator

_BARE = Path(__file__).with_name("bare.py")


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
        ours, typed, bare = medians(
            lambda: run_all(engine, asked),
            lambda: subprocess.run(
                ["xargs", "-P", str(CORES), "-I{}", "sh", "-c", line], cwd=folder, input=numbers.encode(), check=True
            ),
            lambda: _bare(made),
            rounds=2 if quick else 3,
        )
    level = engine.isolation.level
    engine.close()
    rate = len(asked) / ours
    yield Row(
        number="2a",
        what=f"cases per second, {CORES} cores, {level}",
        instead=f"seq … | xargs -P {CORES} python3 maze_solver.py",
        score=plain(typed / ours),
        detail=f"{rate:.0f}/s ÷ {len(asked) / typed:.0f}/s",
    )
    yield Row(
        number="2b",
        what=f"cases per second, {CORES} cores, {level}",
        instead="bare forks of a warm Python on as many cores: no wall, no supervisor, no record",
        score=at_least(bare / ours, 0.65),
        detail=f"{rate:.0f}/s ÷ {len(asked) / bare:.0f}/s",
    )


def _bare(made: course.Course) -> None:
    """Run every submission on every maze, shared among one server per core."""
    command = (plain_python(), "-I", "-S", str(_BARE), "name.txt")
    lines = [f"{path}\n" for _ in made.mazes for path in made.submissions]
    servers = [subprocess.Popen(command, stdin=subprocess.PIPE, cwd=made.folder, text=True) for _ in range(CORES)]
    for number, server in enumerate(servers):
        assert server.stdin is not None
        server.stdin.writelines(lines[number::CORES])
        server.stdin.close()
    assert {server.wait() for server in servers} == {0}
