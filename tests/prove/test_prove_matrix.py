"""Promises of the kill matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doubling import RIGHT, case, plan

from grader.model.matrix import Solution
from grader.model.verdict import Verdict
from grader.prove.matrix import build_matrix, grade_solutions, matrix_of
from grader.report.html import matrixpage
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from pathlib import Path

AC, WA = Verdict.AC, Verdict.WA


def solution(name: str, **verdicts: Verdict) -> Solution:
    return Solution(name=name, expected=Verdict(name.split("/", maxsplit=1)[0]), about="x", verdicts=verdicts)


def test_what_is_weak_is_named() -> None:
    """A survivor, an idle case, a redundant one and a right solution that fails."""
    solutions = [
        solution("AC/fine", a=AC, b=AC, c=AC),
        solution("AC/odd", a=AC, b=WA, c=AC),
        solution("WA/one", a=WA, b=WA, c=AC),
        solution("WA/two", a=WA, b=AC, c=AC),
        solution("WA/lucky", a=AC, b=AC, c=AC),
    ]
    matrix = build_matrix(plan(case(1)).assignment, ("a", "b", "c"), solutions)
    assert matrix.survivors == ("WA/lucky",)
    assert matrix.idle == ("c",)
    assert matrix.redundant == (("b", "a"),)
    assert matrix.surprises == ("AC/odd should be right but fails b",)
    assert not matrix.is_sound
    assert "no case fails: WA/lucky" in matrixpage.text(matrix)
    assert "WA/lucky" in matrixpage.render(matrix)


def test_of_two_equal_cases_only_the_later_is_redundant() -> None:
    matrix = build_matrix(plan(case(1)).assignment, ("a", "b"), [solution("WA/one", a=WA, b=WA)])
    assert matrix.redundant == (("b", "a"),)
    assert matrix.is_sound


def test_which_limit_is_met_first_is_no_surprise() -> None:
    """A slow machine has more time: what fills the memory meanwhile is no other failure; a wrong answer is one."""
    solutions = [solution("TLE/fills", a=Verdict.MLE), solution("TLE/answers", a=WA)]
    matrix = build_matrix(plan(case(1)).assignment, ("a",), solutions)
    assert matrix.surprises == ("TLE/answers never gets TLE, but WA",)


def test_a_tree_of_solutions_is_run_for_real(tmp_path: Path) -> None:
    for name, source in {"AC/right": RIGHT, "WA/zero": "# always 0\nprint(0)", "RTE/crash": "1/0"}.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "double.py").write_text(source)
    with open_grading(Settings(workers=1, remember=False), plan(case(0), case(7))) as grading:
        matrix = matrix_of(grading.plan, tmp_path, grade_solutions(grading, tmp_path))
    assert {s.name: s.verdicts for s in matrix.solutions} == {
        "AC/right": {"n0": AC, "n7": AC},
        "RTE/crash": {"n0": Verdict.RTE, "n7": Verdict.RTE},
        "WA/zero": {"n0": AC, "n7": WA},
    }
    assert next(s.about for s in matrix.solutions if s.name == "WA/zero") == "always 0"
    assert matrix.is_sound
