"""Students' own examples are a kind of case: right by the kit, worth what they catch, no mistake is given away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from grader.catalogue.load import load_assignment
from grader.intake.collect import collect_one
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import grade_case
from grader.pipeline.prepare import prepare
from grader.sandbox.open import open_sandbox

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.result import CaseResult

COURSE = """format: 1
title: Examples of your own
files: [{name: examples.py}]
kinds:
  own:
    run: {as: function, module: examples.py, function: examples, args: []}
    kit: reference.alice.csv
    judge: examples
    options: {enough: 0.5}
points: 10
"""
CASES = """format: 1
cases:
  - id: own
    title: Two mazes of your own
    partial: {caught: 1.0}
    input: "1\\n0,0\\n0,0\\nG,0\\n"
    expect: {examples: 2}
"""
SMALL = '("2\\n0,0\\n0,1\\nB,4,G,0\\nB,0,B,0\\n", "(0, 0)->(0, 1)\\n1")'
GOOD = '("3\\n2,0\\n0,1\\nR,456,G,0,Y,7\\nB,2,B,2,B,7\\nB,24,B,4,B,2\\n", "{}\\n5")'
PATH = "(2, 0)->(1, 0)->(0, 0)->(0, 2)->(1, 1)->(0, 1)"


def graded(tmp_path: Path, body: str) -> CaseResult:
    folder = tmp_path / "cases" / "own"
    folder.mkdir(parents=True)
    (folder / "assignment.yaml").write_text(COURSE)
    (folder / "cases.yaml").write_text(CASES)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "examples.py").write_text(f"def examples():\n    return {body}\n")
    assignment = load_assignment(tmp_path / "cases", "own")
    sandbox = open_sandbox()
    try:
        return grade_case(
            prepare(assignment).cases[0], collect_one(tmp_path / "mine", assignment), assignment, sandbox
        )
    finally:
        sandbox.close()


def escaped(text: str) -> str:
    return text.replace("\n", "\\n")


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ("5", "no-answer", "must return a list of pairs"),
        ("[('1', '2')]", "too-few", "1 of 2 examples"),
        ("[('1', '2'), 3]", "no-answer", "example 2 must be a pair"),
        ("[('no maze', '2')] * 2", "wrong-example", "Example 1 is wrong: line 1 of its input"),
        ("[('x' * 20000, '2')] * 2", "no-answer", "too long"),
        ("[('1', '2')] * 21", "no-answer", "at most 20"),
        (f"[{SMALL}, {GOOD.format('(0, 0)->(0, 1)')}]", "wrong-example", "Example 2 is wrong: your path begins at"),
        (f"[{SMALL}] * 2", "mistakes-missed", "look for inputs that show mistakes with arrows"),
    ],
)
def test_what_is_wrong_with_examples_is_said(body: str, kind: str, words: str, tmp_path: Path) -> None:
    """In plain words, with the example's number; sorts of mistakes are told, programs and their names aren't."""
    result = graded(tmp_path, escaped(body))
    assert result.verdict is Verdict.WA, result.message
    assert result.mismatch is not None
    assert (result.mismatch.kind, words in result.message) == (kind, True), result.message
    assert not any(name in result.message for name in ("RedIgnored", "wrong: N", "NeverThere"))


def test_points_go_by_the_share_of_mistakes_caught(tmp_path: Path) -> None:
    """A good example earns more than a small one; enough of them earn all."""
    small = graded(tmp_path / "small", escaped(f"[{SMALL}] * 2"))
    good = graded(tmp_path / "good", escaped(f"[{SMALL}, {GOOD.format(PATH)}]"))
    assert 0 < small.points < good.points <= 10
