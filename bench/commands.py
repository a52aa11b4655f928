"""The commands that are timed, and the environment they get."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from functools import cache
from shutil import rmtree
from tempfile import mkdtemp
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
    return grade_class(course.folder, "lefthand", "--cases", str(course.cases), *options)


def grade_class(folder: Path, name: str, *options: str) -> Cost:
    """Grade <folder>/class, with a store and an output of its own."""
    return run(command_for(folder, name, *options), more={"XDG_CACHE_HOME": str(folder / "cache")})


def command_for(folder: Path, name: str, *options: str) -> tuple[str, ...]:
    words = ("grade", str(folder / "class"), "-a", name, "-o", str(folder / "out"), "--progress", "none")
    return (sys.executable, "-m", "grader", *words, *options)


def run(command: Sequence[str], *, more: Mapping[str, str] | None = None, folder: Path | None = None) -> Cost:
    """Run a command to its good end; give its time and its own peak memory."""
    launcher = (os.path.realpath(sys.executable), "-I", "-S", "-c", _LAUNCHER, *command)
    done = subprocess.run(
        launcher, env=environment() | dict(more or {}), cwd=folder, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}")
    wall_s, peak_kib = map(float, done.stdout.split())
    return Cost(wall_s, peak_kib / 1024)


# The kernel counts what a process waited for as its own, at its end: so its peak is read while it lives.
_LAUNCHER = """
import os, re, select, sys, time
begun = time.perf_counter()
nowhere = os.open(os.devnull, os.O_WRONLY)
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1)])
end = select.poll()
end.register(os.pidfd_open(process), select.POLLIN)
peak_kib = 0
while not end.poll(5):
    with open(f"/proc/{process}/status") as status:
        peak_kib = max([peak_kib, *map(int, re.findall(r"VmHWM:\\s+(\\d+)", status.read()))])
took_s = time.perf_counter() - begun
_, status = os.waitpid(process, 0)
print(took_s, peak_kib)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def environment() -> dict[str, str]:
    """Give what a person's shell has: compiled modules are kept, output is buffered."""
    unwanted = {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}
