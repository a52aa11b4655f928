"""Promises of `grader new`: what it writes works at once."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from grader.cli.new import scaffold
from grader.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def grader(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "grader", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_a_new_assignment_works_at_once(tmp_path: Path) -> None:
    """Its keys are proven, its cases strong, its right solution right and its wrong ones wrong."""
    assert grader(tmp_path, "new", "gaps").returncode == 0
    proven = grader(tmp_path, "cases", "verify", "-a", "gaps")
    assert proven.returncode == 0, proven.stdout + proven.stderr
    assert grader(tmp_path, "cases", "mistakes", "show", "unsorted", "-a", "gaps", "-o", "unsorted").returncode == 0
    graded = grader(tmp_path, "grade", "solutions/gaps/AC/right", "unsorted", "-a", "gaps")
    assert "AC 3" in graded.stdout
    assert "AC 1 WA 2" in graded.stdout
    assert (tmp_path / "grader-out" / "index.html").exists()
    assert grader(tmp_path, "check", "solutions/gaps/AC/right").returncode == 0
    assert grader(tmp_path, "check", "unsorted").returncode == 1


def test_a_new_assignment_can_be_hunted(tmp_path: Path) -> None:
    """The kit's generator and its shrinking work, and the catch is a case that loads."""
    scaffold(tmp_path, "gaps")
    found = tmp_path / "cases" / "gaps" / "found.yaml"
    grader(tmp_path, "cases", "mistakes", "show", "lonely", "-a", "gaps", "-o", "lonely")
    shown = grader(tmp_path, "hunt", "lonely", "-a", "gaps", "--seconds", "60", "--save", str(found))
    assert shown.returncode == 1, shown.stderr
    assert "-1" in shown.stdout
    assert grader(tmp_path, "cases", "verify", "-a", "gaps", "--keys-only").returncode == 0
    assert "input: |\n      0\n" in found.read_text()


@pytest.mark.parametrize("name", ["Gaps", "../x", "", "a b", "1st"])
def test_odd_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        scaffold(tmp_path, name)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    scaffold(tmp_path, "gaps")
    with pytest.raises(UsageError, match="exists already"):
        scaffold(tmp_path, "gaps")
