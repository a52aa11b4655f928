"""Row 3: a class against pytest with subprocess, on all cores."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.commands import STDIN, grade, plain_python, run
from bench.row import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.course import Course


def measure(*, quick: bool) -> Iterator[Row]:
    people, cases = (10, 5) if quick else (30, 15)
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=cases)
        _lay_out(made)
        ours, theirs = grade(made).wall_s, _pytest(made)
    yield Row(
        number="3",
        what=f"a class of {people} × {cases} cases, first grade",
        instead="pytest -n auto, a test per case that calls subprocess.run",
        score=at_most(ours / theirs, 0.5),
        detail=f"{ours:.1f} s ÷ {theirs:.1f} s",
    )


def _lay_out(made: Course) -> None:
    """Put each maze beside a copy of each solution, as the others need it."""
    for path in made.submissions:
        for number in range(len(made.mazes)):
            folder = made.folder / "plain" / path.parent.name / f"{number:02}"
            folder.mkdir(parents=True)
            shutil.copy(path, folder)
            shutil.copy(made.maze(number), folder / "maze.txt")
            (folder / "name.txt").write_bytes(STDIN)


def _pytest(made: Course) -> float:
    test = made.folder / "test_class.py"
    people, cases = len(made.submissions), len(made.mazes)
    test.write_text(_TEST.format(root=str(made.folder), python=plain_python(), people=people, cases=cases))
    command = (sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", str(test))
    return run(command, folder=made.folder).wall_s


_TEST = """
import subprocess
from pathlib import Path
import pytest

ROOT = Path({root!r})

@pytest.mark.parametrize("case", range({cases}))
@pytest.mark.parametrize("person", range({people}))
def test_case(person, case):
    folder = ROOT / "plain" / f"s{{person:04}}" / f"{{case:02}}"
    done = subprocess.run(
        [{python!r}, "maze_solver.py"], cwd=folder, input="maze.txt\\n", capture_output=True, text=True, timeout=15
    )
    assert done.returncode == 0
    assert done.stdout == (ROOT / "cases/lefthand/expected" / f"maze-{{case:02}}.out").read_text()
"""
