"""Row 13: fifty students push at once, and how far from the order of their arrival they are graded."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from bench import course
from bench.row import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

_MEAN_PLACES = 2.0
"""Places out of order; two slots alone make up to one."""
_SETTLED = 'SELECT student FROM events WHERE fact LIKE \'%"type":"settled"%\' ORDER BY number'


def measure(*, quick: bool) -> Iterator[Row]:
    people = 10 if quick else 50
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=3)
        students = [path.parent.name for path in made.submissions]
        _serve(made.folder, students)
        works = [_work(made.folder, path) for path in made.submissions]
        begun = perf_counter()
        pushing = [_push(made.folder, work) for work in works]
        for each in pushing:
            each.wait()
        took_s = perf_counter() - begun
        came = [line.split()[1] for line in sorted((made.folder / "arrivals").read_text().splitlines())]
        with closing(sqlite3.connect(made.folder / "book.sqlite")) as book:
            settled = [row[0] for row in book.execute(_SETTLED)]
        lost = [student for student in students if student not in settled]
        if lost:
            log = made.folder / "out" / "hook.log"
            raise RuntimeError(f"not graded: {lost}\n{log.read_text()[-2000:] if log.exists() else ''}")
    places = [abs(came.index(student) - settled.index(student)) for student in students]
    yield Row(
        number="13",
        what=f"{people} pushes at once: mean places out of the order of arrival",
        instead="a lock that everybody polls: 6.8 places, at most 29",
        score=at_most(fmean(places), _MEAN_PLACES),
        detail=f"at most {max(places)}; {took_s:.0f} s for all",
    )


def _serve(folder: Path, students: list[str]) -> None:
    """Make the repositories, and let each hook note when it began."""
    named = [part for student in students for part in ("--create", student)]
    places = ["--book", "book.sqlite", "--cases", "cases", "-o", "out", "--format", "md"]
    command = [
        sys.executable,
        "-m",
        "grader",
        "serve-git",
        "git",
        "-a",
        "lefthand",
        "--install-only",
        *places,
        *named,
    ]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, env=_surroundings(folder))
    for student in students:
        hook = folder / "git" / f"{student}.git" / "hooks" / "post-receive"
        first, *rest = hook.read_text().splitlines(keepends=True)
        noted = f'echo "$(date +%s%N) {student}" >> {folder / "arrivals"}\n'
        hook.write_text("".join([first, noted, *rest]))


def _work(folder: Path, submission: Path) -> Path:
    work = folder / "work" / submission.parent.name
    work.mkdir(parents=True)
    (work / submission.name).write_bytes(submission.read_bytes())
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "work"], ["tag", "v1"]):
        subprocess.run([*_git(work), *arguments], check=True, env=_surroundings(folder))
    return work


def _push(folder: Path, work: Path) -> subprocess.Popen[bytes]:
    command = [*_git(work), "push", "-q", f"../../git/{work.name}.git", "v1"]
    return subprocess.Popen(command, env=_surroundings(folder), stderr=subprocess.DEVNULL)


def _git(work: Path) -> list[str]:
    return ["git", "-C", str(work), "-c", "user.name=s", "-c", "user.email=s@example.invalid"]


def _surroundings(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "GIT_CONFIG_GLOBAL": os.devnull}
