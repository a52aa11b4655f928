"""Promises for kits that people have: each is vouched for, so a second grade runs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from law_course import GRADER, ROOT, Course
from programs import programs

if TYPE_CHECKING:
    from pathlib import Path


def grade(folder: Path, *words: str) -> bytes:
    """Run the command in the folder, and return the results with their times."""
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-c", GRADER, *words, "--format", "json", "-o", str(folder / "out")]
    subprocess.run(command, env=environment, cwd=folder, capture_output=True, check=True)
    return (folder / "out" / "results.json").read_bytes()


@pytest.mark.parametrize("name", ["lefthand", "alice-csv", "alice-grid", "alice-263", "runner"])
def test_a_shipped_assignment_is_known(name: str, tmp_path: Path) -> None:
    """Whatever its kit loads while it judges and draws: right and wrong are known again, times and all."""
    solutions = programs(name)
    some = [str(next((solutions / verdict).iterdir())) for verdict in ("AC", "WA")]
    words = ("grade", *some, "-a", name, "--cases", str(ROOT / "cases"))
    assert grade(tmp_path, *words) == grade(tmp_path, *words)


def test_an_assignment_of_ones_own_is_known(tmp_path: Path) -> None:
    """A kit as `grader new` makes it: in no package, with hypothesis, which looks at everything installed."""
    subprocess.run([sys.executable, "-m", "grader", "new", "gaps"], cwd=tmp_path, capture_output=True, check=True)
    Course.settle()
    words = ("grade", "solutions/gaps/AC/right", "-a", "gaps")
    first = grade(tmp_path, *words)
    assert grade(tmp_path, *words) == first
    solver = tmp_path / "kits" / "gaps.py"
    solver.write_text(solver.read_text() + "# another\n")
    Course.settle()
    assert grade(tmp_path, *words) != first
