"""Promises about runs that never gave an answer."""

from __future__ import annotations

from typing import Any

import pytest
from model_values import make_case, make_kind

from grader.judge.decide import points_for
from grader.judge.endings import judge_ending
from grader.model.assignment import Case, RunAs
from grader.model.judgement import Judgement
from grader.model.result import Mismatch
from grader.model.run import Raised, Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict
from grader.tracebacks import place_of

TRACEBACK = """Traceback (most recent call last):
  File "/box/w/maze_solver.py", line 12, in <module>
    main()
  File "/box/w/maze_solver.py", line 9, in walk
    json.loads("")
  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads
    return _default_decoder.decode(s)
ValueError: no maze
"""


def case(run_as: RunAs = RunAs.PROGRAM, **more: Any) -> Case:
    run: dict[str, Any] = {"run_as": run_as, "module": "maze_solver.py", "function": "move", "exit_status": (0, 1)}
    return make_case(make_kind("path", **run), **more)


@pytest.mark.parametrize(
    ("ending", "verdict"),
    [
        (Ending.CPU_LIMIT, Verdict.TLE),
        (Ending.WALL_LIMIT, Verdict.TLE),
        (Ending.MEMORY_LIMIT, Verdict.MLE),
        (Ending.OUTPUT_LIMIT, Verdict.OLE),
        (Ending.SIGNALLED, Verdict.RTE),
        (Ending.SANDBOX_FAILED, Verdict.JE),
    ],
)
def test_each_ending_has_its_verdict_and_a_reason(ending: Ending, verdict: Verdict) -> None:
    judgement = judge_ending(case(), RunRecord(ending=ending, signal=11))
    assert judgement is not None
    assert judgement.verdict is verdict
    assert judgement.mismatch is not None
    assert judgement.mismatch.message


def test_our_own_fault_is_said_to_cost_nothing() -> None:
    judgement = judge_ending(case(), RunRecord(ending=Ending.SANDBOX_FAILED, detail="mount: EPERM"))
    assert judgement is not None
    assert judgement.mismatch is not None
    assert "costs you nothing" in judgement.mismatch.message


def test_an_exception_is_told_with_the_students_own_line() -> None:
    """The library's frames are not where the student should look."""
    raised = Raised(type="ValueError", message="no maze", traceback=TRACEBACK)
    judgement = judge_ending(case(), RunRecord(ending=Ending.EXITED, exit_status=1, raised=raised))
    assert judgement is not None
    assert judgement.verdict is Verdict.RTE
    assert judgement.mismatch is not None
    assert "ValueError: no maze at line 9 of maze_solver.py, in walk" in judgement.mismatch.message


def test_place_is_empty_without_a_frame() -> None:
    assert place_of("") == ""


def test_allowed_exit_statuses_are_no_error() -> None:
    assert judge_ending(case(), RunRecord(ending=Ending.EXITED, exit_status=1)) is None
    judgement = judge_ending(
        case(), RunRecord(ending=Ending.EXITED, exit_status=3, stderr=Stream.of(b"warn\nno such maze\n"))
    )
    assert judgement is not None
    assert judgement.mismatch is not None
    assert "exit status 3; 0 means that all went well. It said: no such maze" in judgement.mismatch.message


def test_a_function_that_ends_the_program_never_returned() -> None:
    judgement = judge_ending(case(RunAs.FUNCTION), RunRecord(ending=Ending.EXITED, exit_status=0))
    assert judgement is not None
    assert judgement.verdict is Verdict.RTE


def test_a_raising_call_is_named() -> None:
    replies = (Reply(value=1), Reply(raised=Raised(type="IndexError", message="list index out of range")))
    judgement = judge_ending(case(RunAs.FUNCTION), RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies))
    assert judgement is not None
    assert judgement.mismatch is not None
    assert "call 2: " in judgement.mismatch.message


def test_a_forged_frame_is_no_answer() -> None:
    record = RunRecord(
        ending=Ending.EXITED, exit_status=0, replies=(Reply(value=1),), irregularities=("second frame",)
    )
    judgement = judge_ending(case(RunAs.FUNCTION), record)
    assert judgement is not None
    assert judgement.verdict is Verdict.RTE


@pytest.mark.parametrize(
    ("verdict", "right", "points"),
    [(Verdict.AC, (), 2.0), (Verdict.WA, ("path",), 1.0), (Verdict.WA, (), 0.0), (Verdict.RTE, ("path",), 0.0)],
)
def test_partial_credit_is_what_the_case_grants(verdict: Verdict, right: tuple[str, ...], points: float) -> None:
    judgement = Judgement(verdict=verdict, mismatch=Mismatch(kind="k", message="m", right=right))
    assert points_for(case(points=2.0, partial={"path": 0.5}), judgement) == points


def test_a_share_of_the_moves_is_a_share_of_the_points() -> None:
    judgement = Judgement(verdict=Verdict.WA, mismatch=Mismatch(kind="k", message="m", shares={"moves": 0.25}))
    assert points_for(case(points=2.0, partial={"moves": 1.0}), judgement) == 0.5
    assert points_for(case(points=2.0), judgement) == 0.0
