"""The commands that are timed, and the environment they get."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from functools import cache
from shutil import rmtree
from tempfile import mkdtemp
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.course import Course

CORES = len(os.sched_getaffinity(0))
STDIN = b"maze.txt\n"


@cache
def plain_python() -> str:
    """Give a Python with nothing installed: what is installed beside it would slow its start, and flatter us."""
    folder = mkdtemp(prefix="bench-python-")
    atexit.register(rmtree, folder)
    subprocess.run([os.path.realpath(sys.executable), "-m", "venv", "--without-pip", folder], check=True)
    return f"{folder}/bin/python3"


class Cost(NamedTuple):
    wall_s: float
    peak_mib: float


def grade(course: Course, *options: str) -> Cost:
    """Run `grader grade` on the course as a person would."""
    command = (sys.executable, "-m", "grader", "grade", str(course.folder / "class"), "-a", "lefthand")
    places = ("--cases", str(course.cases), "-o", str(course.folder / "out"), "--progress", "none")
    return run((*command, *places, *options), environment={"XDG_CACHE_HOME": str(course.folder / "cache")})


def run(command: Sequence[str], *, environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Cost:
    """Run a command to its good end; give its time and its own peak memory."""
    begun = perf_counter()
    process = subprocess.Popen(
        command, env=_environment() | dict(environment or {}), cwd=folder, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    took = perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(took, usage.ru_maxrss / 1024)


def _environment() -> dict[str, str]:
    """Give what a person's shell has: compiled modules are kept, output is buffered."""
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}
