"""Row 12: what a student waits for: `check` from a cold start, and a tagged push until its answer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from bench.clock import seconds
from bench.commands import environment
from bench.row import Row, at_most, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
_SOLUTION = ROOT / "reference" / "solutions" / "lefthand" / "AC" / "functions"
_GOAL_S = 0.25
_GRADER = (sys.executable, "-m", "grader")
_GIT = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@a"}


def measure(*, quick: bool) -> Iterator[Row]:
    rounds = 2 if quick else 5
    with TemporaryDirectory() as name:
        folder = Path(name)
        python = median(seconds(lambda: _run([sys.executable, "-c", "pass"], folder)) for _ in range(rounds))
        first, whole = zip(*(_check(folder) for _ in range(rounds)), strict=True)
        push = median(_push(folder, f"v{number}") for number in range(rounds))
    command = "grader check -a lefthand"
    yield Row(
        number="12a",
        what="check, cold start to verdict, seconds beyond Python's own start",
        instead="python3 -c pass",
        score=at_most(median(whole) - python, _GOAL_S),
        detail=f"{median(whole):.3f} s - {python:.3f} s",
    )
    yield Row(
        number="12b",
        what="check, first line, as a share of the whole",
        instead=command,
        score=plain(median(first) / median(whole)),
        detail=f"{median(first):.3f} s ÷ {median(whole):.3f} s",
    )
    yield Row(
        number="12c",
        what="a tagged push until its answer, seconds",
        instead="git push origin v1",
        score=plain(push),
    )


def _check(folder: Path) -> tuple[float, float]:
    """Check the visible cases, six of them; return the seconds to the first line and to the end."""
    command = (*_GRADER, "check", str(_SOLUTION), "-a", "lefthand")
    begun = perf_counter()
    with subprocess.Popen(command, env=_environment(folder), stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = perf_counter() - begun
        process.stdout.read()
    assert process.returncode == 0
    return first, perf_counter() - begun


def _push(folder: Path, tag: str) -> float:
    """Push a tag to a repository with the hook; the push ends when its answer is there."""
    server, clone = folder / "server.git", folder / "clone"
    if not server.exists():
        places = ("--book", str(folder / "book.sqlite"))
        _run(["git", "init", "-q", "--bare", str(server)], folder)
        _run([*_GRADER, "book", "init", *places], folder)
        entering = ("-a", "lefthand", *places, "--cases", str(ROOT / "cases"), "-o", str(folder / "out"))
        _run([*_GRADER, "hook", "install", str(server), *entering], folder)
        shutil.copytree(_SOLUTION, clone)
        for words in ("init -q", f"remote add origin file://{server}", "add .", "commit -qm solution"):
            _run(["git", *words.split()], clone)
    _run(["git", "commit", "-q", "--allow-empty", "-m", tag], clone)
    _run(["git", "tag", tag], clone)
    return seconds(lambda: _run(["git", "push", "-q", "origin", tag], clone))


def _run(command: Sequence[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, env=_environment(folder), check=True, capture_output=True)


def _environment(folder: Path) -> dict[str, str]:
    return environment() | _GIT | {"XDG_CACHE_HOME": str(folder / "cache")}
