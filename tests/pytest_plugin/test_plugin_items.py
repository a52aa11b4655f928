"""Promises of the pytest plugin, by running pytest for real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

CASES = Path(__file__).parents[2] / "cases"
SOLUTIONS = Path(__file__).parents[2] / "reference" / "solutions"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=240)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    (tmp_path / "maze.py").write_text("def move_algo(maze, me, rows, columns):\n    return 1\n")
    return tmp_path


def test_a_right_solution_passes_every_case(tmp_path: Path) -> None:
    """Each YAML case is an item, on two workers, with points in the JUnit file."""
    right = next(path for path in sorted((SOLUTIONS / "runner" / "AC").iterdir()) if path.is_dir())
    shown = run_pytest(
        tmp_path, "--grader-submission", str(right), str(CASES / "runner"), "-n", "2", "--junitxml", "out.xml"
    )
    assert shown.returncode == 0, shown.stdout
    items = ET.parse(tmp_path / "out.xml").findall(".//testcase")
    assert len(items) >= 12
    assert {item.attrib["value"] for item in items[0].iter("property")} >= {"AC"}


def test_a_failure_shows_the_explanation_not_our_traceback(wrong: Path) -> None:
    shown = run_pytest(wrong, "--grader-submission", ".", str(CASES / "runner"), "-x")
    assert shown.returncode == 1
    assert "WA (wrong answer)" in shown.stdout
    assert "pytest_plugin" not in shown.stdout
    assert "Traceback" not in shown.stdout


def test_cases_are_chosen_by_name_and_tag(wrong: Path) -> None:
    """-k knows ids, kinds, tags and visibility."""
    every = run_pytest(wrong, "--grader-submission", ".", str(CASES / "runner"), "--collect-only", "-q")
    some = run_pytest(wrong, "--grader-submission", ".", str(CASES / "runner"), "--collect-only", "-q", "-k", "play")
    assert 0 < some.stdout.count(".yaml::") < every.stdout.count(".yaml::")


def test_without_the_option_yaml_is_left_alone(wrong: Path) -> None:
    shown = run_pytest(wrong, str(CASES / "runner"), "-q")
    assert "no tests ran" in shown.stdout


def test_an_unused_plugin_imports_nothing() -> None:
    code = "import sys, grader.pytest_plugin; print([m for m in ('msgspec', 'click', 'yaml') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_student_can_test_functions_in_the_sandbox(wrong: Path) -> None:
    """The fixture calls the handed-in function; a wrong one fails in the student's own words."""
    (wrong / "test_mine.py").write_text(
        "def test_right(solution):\n    assert solution.move_algo([2, -1], 1, 1, 2) == 1\n"
        "def test_missing(solution):\n    solution.nothing()\n"
    )
    shown = run_pytest(wrong, "-q")
    assert "1 failed, 1 passed" in shown.stdout
    assert "AttributeError" in shown.stdout


def test_a_student_can_ask_for_the_reason(tmp_path: Path) -> None:
    """assert_solves runs the whole judge and says what is wrong with a maze, too."""
    (tmp_path / "maze_solver.py").write_text("print('Please give the maze file:')\nprint('S')\n")
    (tmp_path / "test_mine.py").write_text(
        "def test_wrong(assert_solves):\n    assert_solves('S#E\\n')\n"
        "def test_no_maze(assert_solves):\n    assert_solves('S##\\n')\n"
        "def test_no_kind(assert_solves):\n    assert_solves('S#E\\n', kind='wlak')\n"
    )
    shown = run_pytest(tmp_path, "-q")
    assert "3 failed" in shown.stdout
    assert "WA (wrong answer)" in shown.stdout
    assert "there is no kind wlak; kinds are" in shown.stdout
    assert "of the input:" in shown.stdout
