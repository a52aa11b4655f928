"""Promises of the pytest plugin, by running pytest for real."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from programs import program, programs

CASES = Path(__file__).parents[2] / "cases"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "--rootdir", str(folder), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=240)


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    (tmp_path / "maze.py").write_text("def move_algo(maze, me, rows, columns):\n    return 1\n")
    return tmp_path


def test_a_right_solution_passes_every_case(tmp_path: Path) -> None:
    """Each YAML case is an item, on two workers, with points in the JUnit file."""
    right = next(path for path in sorted((programs("runner") / "AC").iterdir()) if path.is_dir())
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


def test_pytests_own_options_choose_cases(tmp_path: Path) -> None:
    """-k knows ids, kinds, tags and visibility; --lf repeats what failed, and nothing else."""
    cases = ("--grader-submission", str(program("runner/WA/tie_by_age")), str(CASES / "runner"), "-q")
    first = run_pytest(tmp_path, *cases, "-k", "visible and not play")
    assert re.search(r"2 failed, [1-9]\d* passed, [1-9]\d* deselected", first.stdout), first.stdout
    assert re.search(r"^2 failed, \d+ deselected in", run_pytest(tmp_path, *cases, "--lf").stdout, re.MULTILINE)


def test_without_the_option_yaml_is_left_alone(wrong: Path) -> None:
    shown = run_pytest(wrong, str(CASES / "runner"), "-q")
    assert "no tests ran" in shown.stdout


def test_an_unused_plugin_imports_nothing() -> None:
    code = "import sys, grader.pytest_plugin; print([m for m in ('msgspec', 'click', 'yaml') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_student_can_test_functions_of_a_starter(tmp_path: Path) -> None:
    """The fixture calls a function beside the starter's own; a missing one fails in plain words, -x stops there."""
    starter = (CASES / "lefthand" / "starter" / "maze_solver.py").read_text()
    (tmp_path / "maze_solver.py").write_text(f"def turn_left(way):\n    return 'NWSE'['SENW'.index(way)]\n{starter}")
    (tmp_path / "grader.toml").write_text('assignment = "lefthand"\n')
    (tmp_path / "test_mine.py").write_text(
        "def test_right(solution):\n    assert solution.turn_left('N') == 'S'\n"
        "def test_missing(solution):\n    solution.nothing()\n"
        "def test_never_reached():\n    assert False\n"
    )
    shown = run_pytest(tmp_path, "-q", "-x")
    assert "1 failed, 1 passed" in shown.stdout, shown.stdout
    assert "AttributeError" in shown.stdout


@pytest.mark.parametrize("file", sorted(CASES.glob("*/starter/*.py")), ids=str)
def test_importing_a_starter_runs_nothing(file: Path) -> None:
    """Nothing but definitions, imports and a guarded call: so its functions can be tested."""
    kinds = {type(node) for node in ast.parse(file.read_text()).body}
    assert kinds <= {ast.Expr, ast.Import, ast.FunctionDef, ast.If}
    assert not [node for node in ast.parse(file.read_text()).body if isinstance(getattr(node, "value", 0), ast.Call)]


def test_a_student_can_ask_for_the_reason(tmp_path: Path) -> None:
    """assert_solves runs the whole judge and says what is wrong with a maze, too."""
    (tmp_path / "maze_solver.py").write_text("print('Please give the maze file:' + input())\nprint('S')\n")
    (tmp_path / "test_mine.py").write_text(
        "def test_wrong(assert_solves):\n    assert_solves('S#E\\n')\n"
        "def test_no_maze(assert_solves):\n    assert_solves('S##\\n')\n"
        "def test_no_kind(assert_solves):\n    assert_solves('S#E\\n', kind='wlak')\n"
        "def test_unguarded(solution):\n    solution.turn()\n"
    )
    shown = run_pytest(tmp_path, "-q")
    assert "4 failed" in shown.stdout
    assert "Importing your file runs it" in shown.stdout
    assert "WA (wrong answer)" in shown.stdout
    assert "there is no kind wlak; kinds are" in shown.stdout
    assert "of the input:" in shown.stdout
