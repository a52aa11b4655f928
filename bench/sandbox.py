"""Row 10: what a case costs behind each wall, trivial and with a dozen imports, against plain Python starts."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.clock import medians
from bench.commands import plain_python
from bench.row import Row, at_most, plain
from grader.model.run import File, Program, RunRequest
from grader.model.verdict import Ending, Level
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

TRIVIAL = b"print('hello')\n"
IMPORTING = (
    b"import argparse, collections, copy, dataclasses, datetime, functools, heapq, itertools, json, math, random\n"
    + TRIVIAL
)


def measure(*, quick: bool) -> Iterator[Row]:
    strongest, weakest = open_sandbox(), open_sandbox(Level.LIMITED)
    python = plain_python()
    with TemporaryDirectory() as name:
        for file, source in (("trivial.py", TRIVIAL), ("importing.py", IMPORTING)):
            (Path(name) / file).write_bytes(source)
        ours, ours_importing, unwalled, bare, typed, typed_importing = medians(
            lambda: _run(strongest, TRIVIAL),
            lambda: _run(strongest, IMPORTING),
            lambda: _run(weakest, TRIVIAL),
            lambda: subprocess.run([python, "-I", "-S", "-c", "pass"], check=True),
            lambda: subprocess.run([python, "trivial.py"], cwd=name, capture_output=True, check=True),
            lambda: subprocess.run([python, "importing.py"], cwd=name, capture_output=True, check=True),
            rounds=20 if quick else 100,
        )
    strongest.close()
    weakest.close()
    wall = strongest.isolation.level
    yield _row("10a", f"a trivial program, {wall}", "subprocess.run([python3, 'trivial.py'])", (ours, typed, 0.35))
    yield _row("10b", f"a trivial program, {wall}", "python3 -I -S -c pass", (ours, bare, 0.5))
    yield _row(
        "10c",
        f"eleven imports, {wall}",
        "subprocess.run([python3, 'importing.py'])",
        (ours_importing, typed_importing, 0.15),
    )
    yield _row("10d", f"a trivial program, {wall}", "the same zygote with limits only", (ours, unwalled, 1.3))
    yield Row(number="10e", what="zygote's resident memory", instead="", score=plain(_resident_mb(wall)), detail="MB")


def _row(number: str, what: str, instead: str, times: tuple[float, float, float]) -> Row:
    ours, theirs, goal = times
    detail = f"{ours * 1e3:.1f} ms ÷ {theirs * 1e3:.1f} ms"
    return Row(number=number, what=what, instead=instead, score=at_most(ours / theirs, goal), detail=detail)


def _run(sandbox: Sandbox, source: bytes) -> None:
    request = RunRequest(how=Program(main="solution.py"), files=(File(path="solution.py", content=source),))
    assert sandbox.run(request).ending is Ending.EXITED


def _resident_mb(level: str) -> float:
    """Give what one zygote holds: the child that reports its own peak before it has done anything."""
    sandbox = open_sandbox(Level(level))
    record = sandbox.run(RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=b"pass\n"),)))
    sandbox.close()
    return record.usage.peak_mib * 1.048576
