"""Row 1: one case in the strongest sandbox of this machine against a plain Python start."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.clock import medians
from bench.commands import STDIN, plain_python
from bench.row import Row, at_most
from bench.solved import request
from grader.model.run import File, Program, RunRequest
from grader.model.verdict import Ending
from grader.wiring import sandbox_factory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

IMPORTING = (
    b"import argparse, collections, copy, dataclasses, datetime, functools, heapq, itertools, json, math, random\n"
    b"print('hello')\n"
)


def measure(*, quick: bool) -> Iterator[Row]:
    sandbox, guarded = (sandbox_factory()(), sandbox_factory()())  # a batch watches the same modules all the time
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=1, cases=1)
        asked, watched = request(made, 0), request(made, 0, watch=("itertools", "copy"))
        imports = RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=IMPORTING),))
        work = made.submissions[0].parent
        (work / "maze.txt").write_text(made.mazes[0])
        (work / "s.py").write_bytes(IMPORTING)
        ours, watching, typed, importing, typed_imports = medians(
            lambda: _run(sandbox, asked),
            lambda: _run(guarded, watched),
            lambda: subprocess.run(
                [plain_python(), "maze_solver.py"], cwd=work, input=STDIN, capture_output=True, check=True
            ),
            lambda: _run(sandbox, imports),
            lambda: subprocess.run([plain_python(), "s.py"], cwd=work, capture_output=True, check=True),
            rounds=20 if quick else 100,
        )
    sandbox.close()
    guarded.close()
    level = sandbox.isolation.level
    yield _row("1a", f"one case, {level}", "maze_solver.py", (ours, typed, 0.35))
    yield _row(
        "1b", f"one case, {level}, banned modules watched at run time", "maze_solver.py", (watching, typed, 0.4)
    )
    yield _row("1c", f"a case with eleven imports, {level}", "importing.py", (importing, typed_imports, 0.25))


def _row(number: str, what: str, name: str, times: tuple[float, float, float]) -> Row:
    ours, theirs, goal = times
    instead, detail = f"subprocess.run([python3, '{name}'])", f"{ours * 1e3:.1f} ms ÷ {theirs * 1e3:.1f} ms"
    return Row(number=number, what=what, instead=instead, score=at_most(ours / theirs, goal), detail=detail)


def _run(sandbox: Sandbox, request: RunRequest) -> None:
    assert sandbox.run(request).ending is Ending.EXITED
