"""Promises of repeated runs: what changes from run to run is found, what may change isn't."""

from __future__ import annotations

import pytest

from grader.model.run import Raised, Reply, RunRecord, Stream, Usage
from grader.model.verdict import Ending
from grader.pipeline.open_submission import Repeats


def record(
    printed: bytes = b"3\n", *, ending: Ending = Ending.EXITED, status: int = 0, value: object = 1
) -> RunRecord:
    replies = (Reply(value=value, wall_s=0.1),)
    return RunRecord(ending=ending, exit_status=status, stdout=Stream.of(printed), replies=replies)


def test_equal_runs_are_not_reported() -> None:
    """Times and memory are never the same twice, and nobody's fault."""
    repeats: Repeats[str] = Repeats()
    repeats.note("x", record())
    slower = RunRecord(
        ending=Ending.EXITED,
        exit_status=0,
        stdout=Stream.of(b"3\n"),
        replies=(Reply(value=1, wall_s=0.7),),
        usage=Usage(cpu_s=9.0, peak_mib=70.0),
    )
    repeats.note("x", slower)
    assert repeats.differing() == {}


@pytest.mark.parametrize(
    ("other", "part"),
    [
        (record(b"4\n"), "output"),
        (record(ending=Ending.CPU_LIMIT), "ending"),
        (record(status=1), "exit status"),
        (record(value=2), "answers"),
        (record(value=True), "answers"),
        (record(b"x" * 9999), "output"),
    ],
)
def test_a_run_that_differs_is_named_with_the_part_that_differs(other: RunRecord, part: str) -> None:
    """Staff read which case is unsteady, and in what."""
    repeats: Repeats[str] = Repeats()
    for one in (record(), record(), other, record()):
        repeats.note("x", one)
        repeats.note("y", record())
    assert repeats.differing() == {"x": (part,)}


def test_another_exception_is_another_answer() -> None:
    """A call that now fails and now doesn't is unsteady."""
    repeats: Repeats[str] = Repeats()
    for message in ("a", "b"):
        raised = Raised(type="ValueError", message=message)
        repeats.note("x", RunRecord(ending=Ending.EXITED, replies=(Reply(raised=raised),)))
    assert repeats.differing() == {"x": ("answers",)}
