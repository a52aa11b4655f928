"""Row 2: cases per second on all cores against `xargs -P` of plain Python.

Row 2d is the bound: the same programs in bare forks of a warm interpreter per core (bare.py), which neither isolates
nor supervises nor judges. No grader whose cases are processes of their own can do more than that.
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
from grader.engines.by_url import open_engine
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
        ours, typed, bare, once = medians(
            lambda: run_all(engine, asked),
            lambda: subprocess.run(
                ["xargs", "-P", str(CORES), "-I{}", "sh", "-c", line], cwd=folder, input=numbers.encode(), check=True
            ),
            lambda: _bare(made),
            lambda: _bare(made, "once"),
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
    yield Row(
        number="2d",
        what=f"the bound: bare forks of a warm Python, {CORES} cores, no wall, no supervisor",
        instead=f"seq … | xargs -P {CORES} python3 maze_solver.py",
        score=plain(typed / bare),
        detail=f"{len(asked) / bare:.0f}/s, ours is {bare / ours:.2f} of it; {len(asked) / once:.0f}/s, "
        "if each program were compiled once",
    )


def _bare(made: course.Course, *words: str) -> None:
    """Run every submission on every maze, shared among one server per core."""
    command = (plain_python(), "-I", "-S", str(_BARE), "name.txt", *words)
    lines = [f"{path}\n" for _ in made.mazes for path in made.submissions]
    servers = [subprocess.Popen(command, stdin=subprocess.PIPE, cwd=made.folder, text=True) for _ in range(CORES)]
    for number, server in enumerate(servers):
        assert server.stdin is not None
        server.stdin.writelines(lines[number::CORES])
        server.stdin.close()
    assert {server.wait() for server in servers} == {0}
