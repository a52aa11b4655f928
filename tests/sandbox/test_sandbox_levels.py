"""Promises about the level on machines that lack a mechanism: it is found, told, and below `confined` asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOLUTION = Path(__file__).parent.parent.parent / "reference" / "solutions" / "alice-grid" / "AC"
LACKING = """
import os, sys
from grader.sandbox.inside.wall import filter, linux
from grader.sandbox.inside.wall.numbers import CALLS
names = {**CALLS[linux.MACHINE], "unshare": {"x86_64": 272, "aarch64": 97}[linux.MACHINE]}
missing = [("equal", names[name], "missing", None) for name in sys.argv[1].split(",")]
code = filter._assemble([("load", 0), *missing, ("jump", "allow"), *filter.ENDS])
linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
filter.Program(code).load(0)
os.execv(sys.executable, [sys.executable, "-m", "grader", *sys.argv[2:]])
"""
"""Becomes the grader on a kernel that doesn't know these calls."""
NO_NAMESPACES = "unshare"
NO_WALL = "unshare,landlock_create_ruleset"


def grader(lacks: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", LACKING, lacks, *arguments]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("lacks", "level"), [(NO_NAMESPACES, "confined"), (NO_WALL, "limited")])
def test_a_kernel_without_a_mechanism_offers_the_next_level(lacks: str, level: str, tmp_path: Path) -> None:
    """The statement names what is missing and why."""
    done = grader(lacks, "doctor", "--json", folder=tmp_path)
    statement = json.loads(done.stdout)
    assert statement["level"] == level, done.stderr
    assert "not implemented" in statement["missing"][0]["why"]


def test_marks_are_not_given_below_confined_unless_it_is_asked_for(tmp_path: Path) -> None:
    """`grade` refuses and says what to type; with the level named it runs, and the results say so."""
    asked = ("grade", str(SOLUTION), "-a", "alice-grid", "-o", str(tmp_path / "out"))
    refused = grader(NO_WALL, *asked, folder=tmp_path)
    assert (refused.returncode, "--require-isolation limited" in refused.stderr) == (70, True), refused.stderr
    assert not (tmp_path / "out" / "results.json").exists()
    named = grader(NO_WALL, *asked, "--require-isolation", "limited", folder=tmp_path)
    assert named.returncode == 0, named.stderr
    assert "limited" in (tmp_path / "out" / "results.json").read_text()


def test_grade_runs_at_confined_by_itself(tmp_path: Path) -> None:
    """Where there are no namespaces, as in a container, nothing has to be named."""
    done = grader(NO_NAMESPACES, "grade", str(SOLUTION), "-a", "alice-grid", "-o", "out", folder=tmp_path)
    assert done.returncode == 0, done.stderr
