"""The shipped catalogue is strong, and every shipped solution gets the verdict of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.catalogue.find import assignment_names
from grader.catalogue.load import load_assignment
from grader.pipeline.matrix import run_matrix
from grader.pipeline.prepare import prepare
from grader.report import matrixpage
from grader.wiring import Settings, open_engine

ROOT = Path(__file__).parents[2]
NAMES = ("alice-263", "alice-csv", "alice-grid", "lefthand", "runner")


def test_the_five_assignments_are_there() -> None:
    assert assignment_names(ROOT / "cases") == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_failed_by_some_wrong_solution(name: str) -> None:
    """No wrong solution survives, no case is idle, no right solution fails: in one real run of all of them."""
    plan = prepare(load_assignment(ROOT / "cases", name))
    with open_engine(Settings(workers=2, remember=False)) as engine:
        matrix = run_matrix(plan, ROOT / "reference" / "solutions" / name, engine=engine)
    assert matrix.is_sound, "\n".join(matrixpage.weaknesses(matrix))
    assert sum(solution.is_right for solution in matrix.solutions) >= 3
    assert len(matrix.solutions) >= 12
