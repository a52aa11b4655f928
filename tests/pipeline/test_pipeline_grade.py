"""Promises of the pipeline: real runs, a kit that knows no maze."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from doubling import RIGHT, case, plan, student
from model_values import make_result

from grader.model.assignment import PolicyCost, PolicySpec
from grader.model.result import Finding, Isolation, Mismatch
from grader.model.run import File
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.pipeline.grade import grade
from grader.pipeline.sheet import Outcome, add_up
from grader.pipeline.speed import SLOW
from grader.wiring import Settings, open_engine, open_grading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import GradeSheet
    from grader.model.seams import Engine
    from grader.model.submission import Note
    from grader.pipeline.prepare import Plan


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_engine(Settings(workers=2, remember=False)) as opened:
        yield opened


def graded(work: Plan, engine: Engine, *students: Submission) -> dict[str, GradeSheet]:
    with open_grading(Settings(), work, engine=engine) as grading:
        return {sheet.submission: sheet for sheet in grade(grading, students)}


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (RIGHT, Verdict.AC),
        ("print('the answer is')\n" + RIGHT, Verdict.WA),
        ("import sys; print(-2 * int(open(sys.argv[1]).read()))", Verdict.WA),
        ("1/0", Verdict.RTE),
        ("while True: pass", Verdict.TLE),
        ("x = bytearray(10**10)", Verdict.MLE),
        ("while True: print('x' * 10000)", Verdict.OLE),
        ("import itertools", Verdict.PV),
        ("def broken(:", Verdict.RTE),
        ("print 'hello'", Verdict.RTE),
        ("print('boom')", Verdict.JE),
        ("import sys; sys.exit(5)", Verdict.RTE),
        ("", Verdict.WA),
    ],
)
def test_every_fault_has_its_verdict(engine: Engine, source: str, verdict: Verdict) -> None:
    """One student's program, one verdict, and a message for all but AC."""
    result = graded(plan(case(4)), engine, student("ann", source))["ann"].cases[0]
    assert result.verdict is verdict
    assert bool(result.message) == (verdict is not Verdict.AC)
    assert result.points == (1.0 if verdict is Verdict.AC else 0.0)


def test_a_kits_own_fault_is_ours(engine: Engine) -> None:
    """JE names no fault of the student's and keeps the traceback for staff."""
    result = graded(plan(case(4)), engine, student("ann", "print('boom')"))["ann"].cases[0]
    assert "costs you nothing" in result.message
    assert result.mismatch is not None
    assert "a fault of the kit" in result.mismatch.found


def test_points_add_up_in_the_catalogues_order(engine: Engine) -> None:
    work = plan(case(3, points=2.0), case(1, points=0.5, id="one"), case(2))
    sheet = graded(work, engine, student("ann"))["ann"]
    assert [result.id for result in sheet.cases] == ["n3", "one", "n2"]
    assert (sheet.points, sheet.max_points) == (3.5, 3.5)


def test_partial_credit_is_given_where_the_case_says_so(engine: Engine) -> None:
    source = "import sys; print(-2 * int(open(sys.argv[1]).read()))"
    work = plan(case(3, partial={"sign": 0.25}), case(4))
    assert graded(work, engine, student("ann", source))["ann"].points == 0.25


def test_neighbours_do_not_share_a_fate(engine: Engine) -> None:
    """A hostile, a broken and a missing submission leave the right one alone."""
    students = [
        student("bad", "import os\nos.kill(os.getppid(), 9)\nwhile True: pass"),
        student("good"),
        Submission(id="lost", files=(), problem="no double.py found; there was nothing."),
        student("loud", "while True: print('x' * 100000)"),
    ]
    sheets = graded(plan(case(1), case(2)), engine, *students)
    assert sorted(sheets) == ["bad", "good", "lost", "loud"]
    assert [result.verdict for result in sheets["good"].cases] == [Verdict.AC, Verdict.AC]
    assert [result.verdict for result in sheets["lost"].cases] == [Verdict.SK, Verdict.SK]
    assert "no double.py" in sheets["lost"].cases[0].message


def test_many_submissions_keep_their_own_results(engine: Engine) -> None:
    """More submissions than one window holds; each gets the verdicts of its own program."""
    students = [student(f"s{n:03}", f"print({n})") for n in range(70)]
    sheets = graded(plan(case(5), case(20)), engine, *students)
    right = sorted((name, result.id) for name, sheet in sheets.items() for result in sheet.cases if result.points)
    assert right == [("s010", "n5"), ("s040", "n20")]


def test_a_finding_can_cost_points_instead_of_cases(engine: Engine) -> None:
    policy = PolicySpec(ban=("itertools",), cost=PolicyCost.POINTS, points=1.5)
    sheet = graded(plan(case(1), case(2), policy=policy), engine, student("ann", "import itertools\n" + RIGHT))["ann"]
    assert [result.verdict for result in sheet.cases] == [Verdict.AC, Verdict.AC]
    assert sheet.points == 0.5
    assert "double.py" in sheet.sources


def test_what_a_run_did_never_chooses_which_source_is_kept() -> None:
    """Students read what changed in these files: a hidden case that names one of many must not bring it there."""
    files = tuple(File(path=f"part{number}.py", content=b"#\n" * 40_000) for number in range(20))
    seen = Finding(rule="banned-use", path="part19.py", line=9, column=1, message="", cases=("n1",))
    work = plan(case(1))
    kept = [
        add_up(
            Submission(id="ann", files=files),
            work.assignment,
            outcome=Outcome((make_result("n1", Verdict.WA, mismatch=mismatch),), findings),
            isolation=Isolation(level="isolated"),
        ).sources
        for mismatch, findings in ((None, ()), (Mismatch(kind="k", message="", path="part18.py", line=3), (seen,)))
    ]
    assert kept[0] == kept[1]
    assert "part0.py" in kept[0]


def test_a_warning_costs_nothing(engine: Engine) -> None:
    policy = PolicySpec(ban=("itertools",), cost=PolicyCost.WARNING)
    sheet = graded(plan(case(1), policy=policy), engine, student("ann", "import itertools\n" + RIGHT))["ann"]
    assert sheet.points == 1.0
    assert sheet.findings


def test_what_is_not_the_same_twice_is_noted(engine: Engine) -> None:
    source = "import time; print(time.perf_counter_ns())"
    sheet = graded(plan(case(1), repeat=3), engine, student("ann", source))["ann"]
    assert [note.kind for note in told_of(sheet)] == ["not-deterministic"]
    assert not told_of(graded(plan(case(1), repeat=3), engine, student("ann"))["ann"])


def told_of(sheet: GradeSheet) -> list[Note]:
    """Return what is noted of the submission; the machine may be slow just now."""
    return [note for note in sheet.notes if note.kind != SLOW]


def test_right_answers_that_differ_are_noted_too(engine: Engine) -> None:
    """A verdict that is the same each time doesn't hide an output that isn't."""
    source = "import sys, time\nprint(' ' * (time.perf_counter_ns() % 997 + 1))\n" + RIGHT
    sheet = graded(plan(case(1), repeat=6), engine, student("ann", source))["ann"]
    assert [result.verdict for result in sheet.cases] == [Verdict.AC]
    assert [note.message for note in told_of(sheet)] == ["n1: 6 runs differ in output (AC)"]


def test_the_expectation_never_leaves_the_parent(engine: Engine) -> None:
    """Whatever a solution can find in its own process, the answer key is not among it."""
    source = (
        "import gc, os, sys\n"
        "seen = repr([o for o in gc.get_objects() if isinstance(o, (dict, list, tuple, str))]) + repr(os.environ)\n"
        "print(''.join(['2469', '13578']) in seen)\n"
    )
    result = graded(plan(case(123456789)), engine, student("ann", source))["ann"].cases[0]
    assert result.evidence.stdout.content() == b"False\n"
