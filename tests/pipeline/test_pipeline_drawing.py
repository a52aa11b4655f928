"""What is drawn of a run that shows nothing: the puzzle, where it can teach something."""

from __future__ import annotations

import pytest

from grader.model.kit import Drawing
from grader.model.run import RunRecord
from grader.model.verdict import Ending
from grader.pipeline.find_assignment import choose_assignment
from grader.pipeline.grade_case import draw
from grader.pipeline.prepare import prepare

_DRAWN = {Ending.CPU_LIMIT: True, Ending.WALL_LIMIT: True, Ending.EXITED: True, Ending.SIGNALLED: False}


@pytest.mark.parametrize("name", ["lefthand", "alice-csv", "alice-grid", "alice-263", "runner"])
def test_a_silent_loop_shows_its_puzzle(name: str) -> None:
    """Where a program looped without a word the board says on what; a crash is told by its line."""
    plan = prepare(choose_assignment(name, ()))
    case = next(each for each in plan.cases if isinstance(each.kit, Drawing))
    drawn = {ending: draw(case, RunRecord(ending=ending)) is not None for ending in _DRAWN}
    assert drawn == _DRAWN
