"""Promises for systems other than Linux: what they lack costs speed or a wall, never the run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from doubling import case, plan, student

from grader.cache import store
from grader.pipeline.grade import grade
from grader.wiring import Settings, open_grading

ROOT = Path(__file__).parents[2]
RIGHT = "reference/solutions/lefthand/AC/classes"
WITHOUT_A_WALL = "none"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (f"check {RIGHT}", "All 6 visible cases pass"),
        (f"grade {RIGHT} -a lefthand --require-isolation {WITHOUT_A_WALL}", "27/27"),
    ],
    ids=["check", "grade"],
)
def test_a_system_without_linuxs_own_calls_grades_all_the_same(words: str, said: str, tmp_path: Path) -> None:
    """The grader's own process uses nothing that Linux alone has, and reads nothing below /proc."""
    out = [] if words.startswith("check") else ["-o", str(tmp_path / "out")]
    command = [sys.executable, str(Path(__file__).with_name("as_macos.py")), *words.split(), *out]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, said in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("error", [AttributeError("no such call"), OSError("no such file"), RuntimeError("no home")])
def test_a_store_that_fails_costs_no_grade(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands in the way of remembering results, they are made."""

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(store.Store, "__init__", fail)
    with open_grading(Settings(workers=1), plan(case(1))) as grading:
        [sheet] = grade(grading, [student("ann", "print(2 * int(input()))")])
    assert grading.known is None
    assert len(sheet.cases) == 1
