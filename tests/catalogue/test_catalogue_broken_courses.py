"""What would fail for every student is refused before the first one, with its place."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

ASSIGNMENT = """format: 1
title: Double
files: [{name: double.py}]
kinds:
  number:
    run: {as: function, module: double.py, function: double, file: ""}
    kit: kits.double
    judge: value
"""
CASES = """format: 1
cases:
  - {id: one, title: One, input: "2"}
"""
KIT = """WITHHELD = ()
def parse(text): return int(text)
def solve(number): return 2 * number
"""
CLAIM = ("judge: value", "judge: claim")
READ = "def read(record): return record.replies[0].value\n"
WORLD = "def world(number): return 'kits.double:World', 1\nclass World:\n    def __init__(self, setup): "
AGENT = ("as: function", "as: agent")
PRINTS = (
    'as: function, module: double.py, function: double, file: ""',
    'as: program, module: double.py, file: ""',
)
_numbers = itertools.count()

KITS = {
    "import sys\nsys.exit(2)\n": ("7:10", "can't be imported: SystemExit: 2"),
    KIT.replace("return 2 * number", "raise KeyError('seven')"): ("3:5", "`solve` of the kit"),
    KIT.replace("return 2 * number", "raise SystemExit"): ("3:5", "fails on the case one: SystemExit"),
    KIT.replace("return 2 * number", "return object()"): ("3:5", "type object is unsupported"),
    KIT.replace("solve(number)", "solve()"): ("3:5", "solve() takes 0 positional arguments"),
    KIT + "def calls(number): raise ValueError(number)\n": ("3:5", "`calls` of the kit"),
    KIT + "def calls(number): return (number,)\n": ("3:5", "it gave (2,), not one tuple of arguments per call"),
    KIT + "def calls(number): return ()\n": ("3:5", "it gave (), not one tuple of arguments per call"),
    KIT + "def calls(number): return ((open,),)\n": ("3:5", "`calls` of the kit"),
    KIT + "def explain(number, divergence): return divergence.nothing\n": ("3:5", "the judge value, given an empty"),
}
CLAIMS = {
    KIT + "def read(record): return record.answers\ndef check(number, claim, expect): return None\n": "no attribute",
    KIT + READ + "def check(number, claim, expect): return claim + 1\n": "the judge claim, given an empty answer,",
    KIT + READ + "def check(number, claim, expect): return 'wrong'\n": "it gave 'wrong', not a Judgement",
}
WORLDS = {
    "pass\n": "no attribute 'observe'",
    "raise ValueError(setup)\n": "the world of the kit",
    "pass\n    def observe(self): return 1 / 0\n": "ZeroDivisionError",
    "pass\n    def observe(self): return (open,)\n    def act(self, value): pass\n": "the world of the kit",
    "pass\n    def observe(self): return (1,)\n    def act(self, value): value + 1\n": "unsupported operand",
}
JUDGES = {
    "def judge(trial): raise KeyError(trial.case.id)\n": "fails on the case one: KeyError: 'one'",
    "def judge(trial): return True\n": "it gave True, not a Judgement with a Mismatch",
    "def judge(): return None\n": "takes 0 positional arguments but 1 was given",
}
FILES = {
    ("double.py", "os.py"): "6:33: 'os.py' can't be imported: Python has a module of this name",
    ("double.py", "sys.py"): "'sys.py' can't be imported",
    ("judge: value", "judge: value\npolicy: {ban: [math], require: [import math]}"): (
        "9:33: policy.require: 'import math' is what policy.ban refuses"
    ),
    ("judge: value", "judge: value\npolicy: {only: [random], require: [import math]}"): "what policy.only refuses",
    ("judge: value", "judge: value\npolicy: {no: [for], require: [for]}"): "'for' is what policy.no refuses",
}


def refused(tmp_path: Path, *, kit: str = KIT, judge: str = "", changes: tuple[tuple[str, str], ...] = ()) -> str:
    """Make the course, with modules of names of their own, and return the loader's words."""
    package = f"kits_{next(_numbers)}"
    (tmp_path / package).mkdir()
    (tmp_path / package / "double.py").write_text(kit.replace("kits.", f"{package}."))
    (tmp_path / package / "judge.py").write_text(judge)
    folder = tmp_path / "cases" / "double"
    folder.mkdir(parents=True)
    assignment, cases = ASSIGNMENT, CASES
    for change in changes:
        assert change[0] in assignment + cases
        assignment, cases = assignment.replace(*change), cases.replace(*change)
    (folder / "assignment.yaml").write_text(assignment.replace("kits.", f"{package}."))
    (folder / "cases.yaml").write_text(cases)
    with pytest.raises(CatalogueError) as caught:
        load_assignment(tmp_path / "cases", "double")
    return str(caught.value)


@pytest.mark.parametrize("kit", KITS)
def test_a_kit_that_fails_for_everybody_is_refused(tmp_path: Path, kit: str) -> None:
    """Importing, calling, solving and explaining are tried once."""
    place, words = KITS[kit]
    told = refused(tmp_path, kit=kit)
    assert f":{place}: " in told
    assert words in told


@pytest.mark.parametrize("kit", CLAIMS)
def test_a_kit_that_cannot_check_is_refused(tmp_path: Path, kit: str) -> None:
    """It reads and checks an answer that says nothing, as some student's will."""
    assert CLAIMS[kit] in refused(tmp_path, kit=kit, changes=(CLAIM,))


@pytest.mark.parametrize("world", WORLDS)
def test_a_world_that_nobody_can_act_in_is_refused(tmp_path: Path, world: str) -> None:
    """It is built and goes one tick."""
    kit = KIT + READ + "def check(number, claim, expect): return None\n" + WORLD + world
    assert WORLDS[world] in refused(tmp_path, kit=kit, changes=(CLAIM, AGENT))


@pytest.mark.parametrize("judge", JUDGES)
def test_a_judge_that_cannot_judge_is_refused(tmp_path: Path, judge: str) -> None:
    """It judges an empty answer, and a judgement comes of it."""
    assert JUDGES[judge] in refused(tmp_path, judge=judge, changes=(("judge: value", "judge: kits.judge"),))


@pytest.mark.parametrize("change", FILES)
def test_an_assignment_that_nobody_can_pass_is_refused(tmp_path: Path, change: tuple[str, str]) -> None:
    """Names that Python keeps for itself, rules that exclude each other."""
    assert FILES[change] in refused(tmp_path, changes=(change,))


def test_an_output_that_nobody_may_print_is_refused(tmp_path: Path) -> None:
    """The expected output is longer than a program's may be."""
    longer = ('input: "2"', f'input: "2", expect: {{stdout: "{"x" * 2000}"}}, limits: {{output_mib: 0.001}}')
    told = refused(tmp_path, changes=(PRINTS, ("judge: value", "judge: stdout"), longer))
    assert "the expected output has 2000 bytes, more than a program may print" in told
