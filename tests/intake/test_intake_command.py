"""Promises of `grader grade` about classes in which not everybody handed in what was asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

GRADER = (sys.executable, "-m", "grader")
RIGHT = Path(__file__).parents[2] / "reference" / "solutions" / "alice-grid" / "AC"


@pytest.fixture
def subs(tmp_path: Path) -> Path:
    """Make a class of one good submission and of everything that goes wrong."""
    folder = tmp_path / "subs"
    for name in ("ann/hw1", "wes/maze.txt", "mia"):
        (folder / name).mkdir(parents=True)
    good = next(RIGHT.glob("*/Alice.py")).read_bytes()
    (folder / "ann" / "hw1" / "Alice.py").write_bytes(good)
    (folder / "wes" / "Alice.py").write_bytes(good)
    (folder / "wes" / "maze.txt" / "x.py").write_bytes(b"")
    for name in ("eve.rar", "fay.ipynb", "README.md", "gus.txt"):
        (folder / name).write_bytes(b"Rar!")
    with tarfile.open(folder / "bob.tgz", "w:gz") as archive:
        archive.add(folder / "ann" / "hw1", "home/bob/hw1")
    with zipfile.ZipFile(folder / "zoe.zip", "w") as packed:
        packed.writestr("a", "")
        packed.writestr("a/b.py", "")
        packed.writestr("Alice.py", good)
    os.mkfifo(folder / "kim.py")
    (folder / "lou").symlink_to("ann")
    (folder / "ned").symlink_to("nowhere")
    return folder


def grade(out: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [
        *GRADER,
        "grade",
        *paths,
        "-a",
        "alice-grid",
        "--only",
        "example",
        "-o",
        out,
        "--format",
        "json,csv",
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def test_everybody_is_graded_or_named_by_either_command_line(subs: Path, tmp_path: Path) -> None:
    """`subs` and `subs/*` give the same students, marks and reasons; nobody stops the class or gets JE."""
    one, all_ = grade(tmp_path / "a", subs), grade(tmp_path / "b", *sorted(subs.iterdir()))
    assert one.returncode == all_.returncode == 0, one.stderr
    assert "left out: README.md: a list or notes, no submission" in one.stderr
    sheets = [
        {
            sheet["id"]: (sheet["points"], sheet.get("problem", ""))
            for sheet in json.loads(path.read_bytes())["submissions"]
        }
        for path in (tmp_path / "a" / "results.json", tmp_path / "b" / "results.json")
    ]
    assert sheets[0] == sheets[1]
    assert sorted(sheets[0]) == ["ann", "bob", "eve", "fay", "gus", "kim", "lou", "mia", "ned", "wes", "zoe"]
    assert sorted(name for name, (points, _) in sheets[0].items() if points) == ["ann", "bob", "zoe"]
    assert all(bool(problem) != bool(points) for points, problem in sheets[0].values())
    assert "the folder maze.txt stands where the input maze.txt is put" in sheets[0]["wes"][1]
    with (tmp_path / "a" / "canvas.csv").open(newline="") as file:
        assert "JE" not in file.read()


def test_a_path_that_is_not_there_is_told_before_anything_runs(subs: Path, tmp_path: Path) -> None:
    """A typo is no student with nothing."""
    done = grade(tmp_path / "out", subs / "ann", subs / "nobody")
    assert done.returncode == 2
    assert "there is no" in done.stderr
    assert not (tmp_path / "out" / "results.json").exists()
