"""Promises of `grader check`: what a student reads, and what comes next."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from itertools import takewhile
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from programs import program

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CHECK = [sys.executable, "-m", "grader", "check"]


def run(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Check in a folder, at 80 columns."""
    return subprocess.run(
        [*CHECK, *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Lay out a wrong solution below a folder that says what it is of."""
    folder = tmp_path / "homework" / "mine"
    shutil.copytree(program("lefthand/WA/right_hand"), folder)
    (folder.parent / "grader.toml").write_text('assignment = "lefthand"\n')
    return folder


def test_a_failure_is_drawn_and_the_next_step_works(mine: Path) -> None:
    """Both frames side by side, nothing wider than the terminal, and a command that repeats the case."""
    shown = run(mine)
    assert shown.returncode == 1, shown.stderr
    assert "≠  ###<.####" in shown.stdout
    assert "hidden ones run when you submit." in shown.stdout
    assert "Not final" not in shown.stdout
    report, _, steps = shown.stdout.partition("Next:\n")
    assert max(map(len, report.splitlines())) <= 80
    step = next(line.strip() for line in steps.splitlines() if "--only" in line).partition("  ")[0]
    again = subprocess.run(step, shell=True, cwd=mine, capture_output=True, text=True, check=False, timeout=120)
    assert (again.returncode, "0 of 1 visible cases pass." in again.stdout) == (1, True)


def test_the_page_and_the_data_are_the_students(mine: Path) -> None:
    """`--open` writes the page and prints its address; `--json -x` is one submission, up to the first failure."""
    shown = run(mine, "--open", "-x", "--json", DISPLAY="")
    told = json.loads(shown.stdout)
    assert [case["verdict"] for case in told["cases"]] == ["WA", *["SK"] * 5]
    assert "player" in (mine / "grader-out" / "check.html").read_text("utf-8")


def test_a_terminal_of_ascii_shows_signs_that_it_has(mine: Path) -> None:
    """No letter is shown by its number where there is a plain sign for it."""
    shown = run(mine, "--only", "seed-example", PYTHONIOENCODING="ascii")
    assert "x seed-example" in shown.stdout
    assert "!  ###<.####" in shown.stdout
    assert "\\u" not in shown.stdout


def test_watching_checks_again_when_a_file_is_saved(mine: Path) -> None:
    """Wrong at first; after the right solution is saved, all cases pass; Ctrl-C ends it without a word."""
    with subprocess.Popen([*CHECK, "--watch"], cwd=mine, stdout=subprocess.PIPE, text=True) as watching:
        guard = Timer(120, watching.kill)
        guard.start()
        assert watching.stdout is not None
        assert "2 of 6 visible cases pass" in _until_it_waits(watching.stdout)
        shutil.copy(program("lefthand/AC/functions") / "maze_solver.py", mine)
        assert "All 6 visible cases pass" in _until_it_waits(watching.stdout)
        watching.send_signal(signal.SIGINT)
        assert (watching.wait(), watching.stdout.read().strip()) == (0, "")
        guard.cancel()


def _until_it_waits(lines: Iterable[str]) -> str:
    seen = takewhile(lambda line: not line.startswith("Watching"), lines)
    return "".join(seen)
