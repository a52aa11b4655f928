"""The shipped catalogue is strong, and every shipped solution gets the verdict of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.catalogue.load import assignment_names, load_assignment
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.matrix import run_matrix
from grader.report import matrixpage
from grader.wiring import Settings, open_grading

ROOT = Path(__file__).parents[2]
NAMES = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")


def test_the_five_assignments_are_there() -> None:
    assert assignment_names(ROOT / "cases") == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_failed_by_some_wrong_solution(name: str) -> None:
    """No wrong solution survives, no case is idle, no right solution fails: in one real run of all of them."""
    plan = prepare(load_assignment(ROOT / "cases", name), timeouts=ALL_CASES)
    with open_grading(Settings(workers=2, remember=False), plan) as grading:
        matrix = run_matrix(grading, ROOT / "reference" / "solutions" / name)
    assert matrix.is_sound, "\n".join(matrixpage.weaknesses(matrix))
    assert sum(solution.is_right for solution in matrix.solutions) >= 3
    assert len(matrix.solutions) >= 12
