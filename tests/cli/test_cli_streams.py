"""The command line on a poor terminal, before a reader that has gone, in a folder that no longer exists."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import course
import pytest

from grader.cli.grade import Batch, Row, table
from grader.report.writer import ClassFacts

if TYPE_CHECKING:
    from pathlib import Path

GRADER = [sys.executable, "-m", "grader"]


@pytest.mark.needs("confined")
@pytest.mark.parametrize("name", ["submit", "check"])
def test_a_terminal_without_our_letters_breaks_nothing(tmp_path: Path, name: str) -> None:
    """An ASCII stdout: nothing crashes, and the status is the command's own."""
    folder = course.make(tmp_path)
    course.student(folder)
    submit = ["submit", "--tag", "v1", "--repo", "student", *course.entering(folder)]
    command = [*GRADER, *(submit if name == "submit" else ["check", "student", "-a", "hello"])]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "XDG_CACHE_HOME": str(folder / "cache")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Says ok" in done.stdout


@pytest.mark.parametrize("arguments", [["cases", "list", "-a", "lefthand"], ["--help"], ["--version"]])
def test_a_reader_that_has_gone_is_no_news(arguments: list[str]) -> None:
    """A closed pipe ends a command quietly, as SIGPIPE would, and never as a success of what it didn't finish."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*GRADER, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_folder_that_no_longer_exists_is_told(tmp_path: Path) -> None:
    """Nothing is looked for in a deleted folder."""
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f'cd {gone} && rmdir {gone} && exec "$0" -m grader submit --tag v1 -a runner'
    command = ["sh", "-c", script, sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "The folder you are in no longer exists." in done.stderr) == (2, True)


@pytest.mark.parametrize("columns", ["80", "120", "200"])
def test_a_long_name_leaves_room_for_the_rest(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name of 180 letters is cut in the table of a grade; nothing sticks out of the terminal."""
    monkeypatch.setenv("COLUMNS", columns)
    rows = [Row("Anne-Marie_" * 17, "7/27", "AC 7 WA 20", "one: " + "Frame 1 " * 40)]
    shown = table(Batch(rows, ClassFacts(submissions=1, full=0, level="isolated", unjudged=()))).splitlines()
    assert max(map(len, shown)) <= int(columns)
    assert "AC 7 WA 20  one: Frame" in shown[-1]
