"""Promises of `grader similar`: what is alike is found, what everybody has isn't counted."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ASSIGNMENT = """\
format: 1
title: Sums
files: [{name: solve.py}]
kinds:
  sum:
    run: {as: function, module: solve.py, function: solve, args: ["{file}"], file: numbers.txt}
    kit: kits.sums
    judge: value
starter: starter/solve.py
"""
STARTER = '''\
"""Read the numbers, then solve."""


def read_numbers(name):
    numbers = []
    with open(name) as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                numbers.append(int(line.strip().split(",")[0]))
    return numbers
'''
LOOP = """
def solve(numbers):
    best = None
    for index, number in enumerate(numbers):
        if number % 2 == 0 and (best is None or number > numbers[best]):
            best = index
    while best is not None and best < len(numbers) - 1:
        best += numbers[best] // 2
    return best
"""
RENAMED = """
# all my own work
def solve(values):
    winner = None
    for place, value in enumerate(values):
        if value % 2 == 0 and (winner is None or value > values[winner]):
            winner = place
    while winner is not None and winner < len(values) - 1:
        winner += values[winner] // 2
    return winner
"""
OTHER = """
def solve(numbers):
    return sum(x * y for x, y in zip(numbers, reversed(numbers)) if x > y > 0) or max(numbers, default=0)


class Unused:
    kinds = {"a": [1, 2, 3], "b": (4, 5)}
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Lay out a course of one assignment with a starter, and an empty class."""
    folder = tmp_path / "cases" / "sums"
    (folder / "starter").mkdir(parents=True)
    (folder / "assignment.yaml").write_text(ASSIGNMENT)
    (folder / "starter" / "solve.py").write_text(STARTER)
    (tmp_path / "kits").mkdir()
    for template, name in (("kit", "sums"), ("solver", "sums_solver")):
        text = (ROOT / f"templates/new/{template}.py.txt").read_text()
        (tmp_path / "kits" / f"{name}.py").write_text(text.replace("NAME", "sums"))
    (folder / "basics.yaml").write_text('format: 1\ncases:\n  - {id: one, title: One, input: "1\\n2\\n"}\n')
    (tmp_path / "class").mkdir()
    return tmp_path


def hand_in(course: Path, student: str, **files: str) -> None:
    folder = course / "class" / student
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, newline="")


def similar(course: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader", "similar", "class", "-a", "sums", "-o", "out", *options],
        cwd=course,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def pairs(course: Path, *options: str, **environment: str) -> list[Any]:
    done = similar(course, "--json", *options, **environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["pairs"]
    assert isinstance(found, list)
    return found


def test_a_copy_with_other_names_is_found_and_others_are_not(course: Path) -> None:
    """Names, comments and a move to another file hide nothing; the starter, shared by all, makes no one alike."""
    hand_in(course, "anna", solve=STARTER + LOOP)
    hand_in(course, "ben", solve="from more import solve\n", more=RENAMED)
    hand_in(course, "cleo", solve=STARTER + OTHER)
    hand_in(course, "dora", solve=STARTER)
    done = similar(course)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^anna +ben +\d+% +\d+%$", done.stdout, re.MULTILINE)
    assert not re.search(r"^\w+ +cleo |^cleo ", done.stdout, re.MULTILINE)
    assert "not compared: dora: almost nothing in it is the student's own" in done.stdout
    assert "no proof" in done.stdout


def test_the_starter_makes_no_one_alike(course: Path) -> None:
    """Who shares only what `starter` names is in no pair; the same files without that line are one."""
    hand_in(course, "anna", solve=STARTER + LOOP)
    hand_in(course, "ben", solve=STARTER + OTHER)
    assert pairs(course, "--threshold", "0.4") == []
    assignment = course / "cases" / "sums" / "assignment.yaml"
    assignment.write_text(assignment.read_text().replace("starter: starter/solve.py\n", ""))
    assert [(pair["first"], pair["second"]) for pair in pairs(course, "--threshold", "0.4")] == [("anna", "ben")]


def test_the_reference_makes_no_one_alike(course: Path) -> None:
    """Nor does the reference's code, which lies beside the kit, in this class or an earlier one."""
    hand_in(course, "anna", solve=LOOP)
    (course / "class").rename(course / "spring")
    (course / "class").mkdir()
    hand_in(course, "ben", solve=RENAMED)
    hand_in(course, "cleo", solve=LOOP)
    everyone = [("ben", "cleo"), ("ben", "spring/anna"), ("cleo", "spring/anna")]
    assert sorted((pair["first"], pair["second"]) for pair in pairs(course, "--old", "spring")) == everyone
    with (course / "kits" / "sums_solver.py").open("a") as solver:
        solver.write(LOOP)
    assert pairs(course, "--old", "spring") == []


def test_what_a_lecture_showed_makes_no_one_alike(course: Path) -> None:
    """The blocks of a page that `--exclude` names are nobody's own."""
    hand_in(course, "cleo", solve=OTHER)
    hand_in(course, "dora", solve=OTHER.replace("solve", "resolve"))
    assert [(pair["first"], pair["second"]) for pair in pairs(course)] == [("cleo", "dora")]
    (course / "lecture.md").write_text(f"# Week 3\n\n```python\n{OTHER}```\n")
    found = json.loads(similar(course, "--json", "--exclude", "lecture.md").stdout)
    assert (found["pairs"], sorted(found["left_out"])) == ([], ["cleo", "dora"])


def test_groups_and_earlier_terms(course: Path) -> None:
    """Pairs that share someone are one group; old ones are found, and never with each other."""
    for name in ("ida", "jon"):
        hand_in(course, name, solve=STARTER + LOOP)
    (course / "class").rename(course / "spring")
    (course / "class").mkdir()
    hand_in(course, "anna", solve=STARTER + RENAMED)
    hand_in(course, "cleo", solve=OTHER)
    first = similar(course, "--json", "--old", "spring")
    found = json.loads(first.stdout)
    assert [(pair["first"], pair["second"]) for pair in found["pairs"]] == [
        ("anna", "spring/ida"),
        ("anna", "spring/jon"),
    ]
    assert [group["members"] for group in found["clusters"]] == [["anna", "spring/ida", "spring/jon"]]
    assert found["old"] == 2
    assert similar(course, "--json", "--old", "spring", PYTHONHASHSEED="7").stdout == first.stdout
    (course / "spring" / "jon" / "solve.py").write_text(OTHER)
    changed = similar(course, "--old", "spring")
    assert "spring/jon" in changed.stdout
    assert "group of" not in changed.stdout
    assert "cleo" in changed.stdout


def test_every_run_says_the_same(course: Path) -> None:
    """Python's hash seed, which the library's hashes depend on, doesn't change what is found."""
    hand_in(course, "anna", solve=STARTER + LOOP + OTHER)
    hand_in(course, "ben", solve=RENAMED)
    hand_in(course, "cleo", solve=OTHER + STARTER + RENAMED)
    first = pairs(course, "--threshold", "0.1", PYTHONHASHSEED="1")
    assert len(first) == 3
    assert pairs(course, "--threshold", "0.1", PYTHONHASHSEED="2") == first


def test_the_page_shows_both_sides_and_runs_nothing_of_theirs(course: Path) -> None:
    """Shared lines are marked, markup in students' code stays text, and only the owner may read the page."""
    evil = "<script>alert(1)</script>"
    hand_in(course, "anna", solve=f"\n\n# {evil}\n{LOOP}".replace("\n", "\r\n"))
    hand_in(course, "ben", solve=RENAMED + OTHER)
    (course / "out").mkdir()
    (course / "out" / "index.html").write_text("<p><!-- similar submissions --></p>")
    assert similar(course).returncode == 0
    page = course / "out" / "similar.html"
    text = page.read_text("utf-8")
    assert evil not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert not re.search(r"(?:src|href)=.?(?:https?:)?//", text)
    lines = re.findall(r'<div class="line( found)?"><span class="lineno">(\d+)</span><code>(.*?)</code>', text)
    assert (" found", "8", "        if number % 2 == 0 and (best is None or number &gt; numbers[best]):") in lines
    assert ("", "3", "# &lt;script&gt;alert(1)&lt;/script&gt;") in lines
    assert not any(found and "Unused" in code for found, _, code in lines)
    assert page.stat().st_mode & 0o077 == 0
    assert '<a href="similar.html">' in (course / "out" / "index.html").read_text()


def test_without_the_library_the_remedy_is_said(course: Path) -> None:
    """The extra is optional: two lines say how to get it."""
    (course / "copydetect.py").write_text("raise ImportError('not here')")
    hand_in(course, "anna", solve=LOOP)
    done = similar(course, PYTHONPATH=str(course))
    assert done.returncode == 2
    assert "pip install 'maze-grader[similar]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_rest_of_the_grader_never_imports_the_library(course: Path) -> None:
    """What it brings (numpy, matplotlib) costs nobody else a start."""
    code = "import sys, grader.cli.grade, grader.cli.similar; print('copydetect' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=course)
    assert shown.stdout.strip() == "False"
