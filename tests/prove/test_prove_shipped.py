"""The shipped catalogue is strong, and every shipped solution gets the verdict and the reason that it is kept for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from programs import programs

from grader.catalogue.load import assignment_names, load_assignment
from grader.model.verdict import Verdict
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.matrix import grade_solutions, matrix_of
from grader.report.html import matrixpage
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import GradeSheet

ROOT = Path(__file__).parents[2]
FIRST_MESSAGES = ROOT / "tests" / "reference" / "first_messages"
"""<assignment>.yaml: wrong solution → kind of its first explanation, and words of it that name the fault."""
NAMES = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")


def test_the_five_assignments_are_there() -> None:
    assert assignment_names(ROOT / "cases") == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_failed_by_some_wrong_solution(name: str) -> None:
    """No wrong solution survives or is told a wrong reason, no case is idle, no right solution fails: in one run."""
    plan = prepare(load_assignment(ROOT / "cases", name), timeouts=ALL_CASES)
    tree = programs(name)
    with open_grading(Settings(workers=2, remember=False), plan) as grading:
        sheets = grade_solutions(grading, tree)
    matrix = matrix_of(plan, tree, sheets)
    assert matrix.is_sound, "\n".join(matrixpage.weaknesses(matrix))
    assert sum(solution.is_right for solution in matrix.solutions) >= 3
    assert len(matrix.solutions) >= 12
    misled = list(_misled(yaml.safe_load((FIRST_MESSAGES / f"{name}.yaml").read_text()), sheets))
    assert not misled, "\n".join(misled)


def _misled(known: dict[str, list[str]], sheets: tuple[GradeSheet, ...]) -> Iterator[str]:
    """Compare the first message of each wrong solution with the table, which is made by hand."""
    wrong = {sheet.submission: sheet for sheet in sheets if not sheet.submission.startswith("AC/")}
    yield from (f"{solution}: in one of the table and the tree only" for solution in sorted(wrong.keys() ^ known))
    for solution in sorted(wrong.keys() & known):
        kind, *words = known[solution]
        first = next(case for case in wrong[solution].cases if case.verdict is not Verdict.AC)
        told = first.mismatch.kind if first.mismatch else first.verdict.value
        if told not in kind.split(" or ") or not all(word in first.message for word in words):
            yield f"{solution}, {first.id}: {told}: {first.message}; the table has {kind} {words}"
