"""Promises of the Gradescope upload, run in the layout of their container."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from own_course import RIGHT, WRONG, make_course
from programs import programs

from grader.catalogue.load import load_assignment
from grader.handout.autograder import pack_autograder

ROOT = Path(__file__).parents[2]


def lay_out(root: Path, content: bytes | None = None) -> Path:
    """Unpack the upload as Gradescope does; its environment is ours, for nothing is fetched in a test."""
    source = root / "source"
    content = content or pack_autograder(load_assignment(ROOT / "cases", "runner"))
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(source)
        for name in ("setup.sh", "run_autograder"):
            (source / name).chmod(archive.getinfo(name).external_attr >> 16)
    (source / "venv" / "bin").mkdir(parents=True)
    interpreter = source / "venv" / "bin" / "python"
    interpreter.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    interpreter.chmod(0o755)
    (root / "submission").mkdir()
    (root / "results").mkdir()
    return source


def results(root: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((root / "results" / "results.json").read_text())
    return data


def run(root: Path, **more: str) -> None:
    environment = {"PATH": os.environ["PATH"], "GRADER_AUTOGRADER_ROOT": str(root)} | more
    assert subprocess.run([str(root / "source" / "setup.sh")], env=environment, check=False).returncode == 0
    subprocess.run([str(root / "source" / "run_autograder")], env=environment, check=True, timeout=200, cwd="/")


def right() -> Path:
    return next(path for path in sorted((programs("runner") / "AC").iterdir()) if path.is_dir())


def test_a_right_solution_gets_full_points(tmp_path: Path) -> None:
    lay_out(tmp_path)
    for file in right().iterdir():
        (tmp_path / "submission" / file.name).write_bytes(file.read_bytes()) if file.is_file() else None
    run(tmp_path)
    told = results(tmp_path)
    assert told["score"] == sum(test["max_score"] for test in told["tests"]) > 0
    assert {test["visibility"] for test in told["tests"]} >= {"visible", "hidden"}


def test_nothing_handed_in_is_told(tmp_path: Path) -> None:
    lay_out(tmp_path)
    run(tmp_path)
    assert results(tmp_path)["score"] == 0
    assert "no maze.py found" in results(tmp_path)["output"]


@pytest.mark.parametrize(
    "broken",
    ["cases/runner/assignment.yaml", "lib/grader/model/run.py", "lib/reference/runner/play.py", "venv/bin/python"],
)
def test_a_breakdown_leaves_a_file_without_a_score(broken: str, tmp_path: Path) -> None:
    """Whatever fails, an import of ours too: the file says so, and no zero gets into anybody's marks."""
    source = lay_out(tmp_path)
    (source / broken).write_text("}{")
    run(tmp_path)
    assert "not your fault" in results(tmp_path)["output"]
    assert not {"score", "tests"} & results(tmp_path).keys()


def test_a_judge_and_a_kit_of_ones_own_are_uploaded(tmp_path: Path) -> None:
    """Modules beside the catalogue, their helpers and their data come along, and give their points."""
    course = make_course(tmp_path / "course")
    command = [sys.executable, "-m", "grader", "gradescope", "-a", "sums"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    root = tmp_path / "autograder"
    root.mkdir()
    lay_out(root, (course / "autograder.zip").read_bytes())
    shutil.rmtree(course)
    (root / "submission" / "sums.py").write_text(RIGHT)
    run(root)
    assert results(root)["score"] == 2
    (root / "submission" / "sums.py").write_text(WRONG)
    run(root)
    assert results(root)["score"] == 1.5, "the judge grants half of one case"


@pytest.mark.needs("mounts")
def test_it_runs_at_its_own_place(tmp_path: Path) -> None:
    """In a private mount namespace the upload lies at /autograder, as in their container."""
    lay_out(tmp_path)
    (tmp_path / "submission" / "maze.py").write_bytes((right() / "maze.py").read_bytes())
    place = Path("/autograder")
    made = not place.exists()
    place.mkdir(exist_ok=True)
    try:
        script = f"mount --bind {tmp_path} /autograder && cd / && /autograder/source/run_autograder"
        subprocess.run(
            ["unshare", "--mount", "sh", "-c", script], env={"PATH": os.environ["PATH"]}, check=True, timeout=200
        )
    finally:
        if made:
            place.rmdir()
    assert results(tmp_path)["score"] > 0


def test_no_solution_is_uploaded() -> None:
    with zipfile.ZipFile(io.BytesIO(pack_autograder(load_assignment(ROOT / "cases", "runner")))) as archive:
        assert not [name for name in archive.namelist() if "solutions/" in name]
