"""Row 1: one case in the strongest sandbox of this machine against a plain Python start."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import medians
from bench.commands import STDIN, plain_python
from bench.row import Row, at_most, plain
from bench.solved import request
from grader.model.verdict import Ending
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator


def measure(*, quick: bool) -> Iterator[Row]:
    sandbox, guarded = (
        sandbox_factory()(),
        sandbox_factory()(),
    )  # a batch watches the same modules all the time, and so does its sandbox
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = course.make(folder, submissions=1, cases=1)
        asked, watched = request(made, 0), request(made, 0, watch=("itertools", "copy"))
        work = made.submissions[0].parent
        (work / "maze.txt").write_text(made.mazes[0])
        typing, bare = ([plain_python(), *flags, "maze_solver.py"] for flags in ((), ("-I", "-S")))
        ours, watching, typed, barest = medians(
            lambda: _exited(sandbox.run(asked).ending),
            lambda: _exited(guarded.run(watched).ending),
            lambda: subprocess.run(typing, cwd=work, input=STDIN, capture_output=True, check=True),
            lambda: subprocess.run(bare, cwd=work, input=STDIN, capture_output=True, check=True),
            rounds=20 if quick else 100,
        )
    sandbox.close()
    guarded.close()
    yield Row(
        number="1a",
        what=f"one case, {sandbox.isolation.level}",
        instead="subprocess.run([python3, 'maze_solver.py'])",
        score=at_most(ours / typed, 0.35),
        detail=f"{ours * 1e3:.1f} ms ÷ {typed * 1e3:.1f} ms",
    )
    yield Row(
        number="1b",
        what=f"one case, {sandbox.isolation.level}",
        instead="the same with python3 -I -S, its barest start",
        score=plain(ours / barest),
        detail=f"{ours * 1e3:.1f} ms ÷ {barest * 1e3:.1f} ms",
    )
    yield Row(
        number="1c",
        what=f"one case, {sandbox.isolation.level}, banned modules watched at run time",
        instead="subprocess.run([python3, 'maze_solver.py'])",
        score=plain(watching / typed),
        detail=f"{watching * 1e3:.1f} ms ÷ {typed * 1e3:.1f} ms",
    )


def _exited(ending: Ending) -> None:
    assert ending is Ending.EXITED, ending
