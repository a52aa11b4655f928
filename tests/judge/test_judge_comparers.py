"""What counts as the same where a case is lenient: order, repeats, letter case, numbers."""

from __future__ import annotations

from typing import Any

import pytest
from model_values import make_case, make_kind

from grader.judge import stdout, value
from grader.model.judgement import Trial
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending, Verdict

PRINTED = [
    ({}, "b\na\n", "a\nb\n", False),
    ({"order": "any"}, "b\na\n", "a\nb\n", True),
    ({"order": "any"}, "a\na\nb\n", "a\nb\n", False),
    ({"order": "any", "repeats": "ignore"}, "a\na\nb\n", "a\nb\n", True),
    ({"order": "any", "repeats": "ignore"}, "a\n", "a\nb\n", False),
    ({"compare": "words"}, "1 2\n3", "1\n2 3\n", True),
    ({"compare": "words", "order": "any"}, "3 1 2", "1 2 3", True),
    ({"letter_case": "ignore"}, "CAT\n", "cat\n", True),
    ({}, "CAT\n", "cat\n", False),
    ({"tolerance": 0.01}, "x = 0.3333\n", "x = 0.33\n", True),
    ({"tolerance": 0.01}, "x = 0.3533\n", "x = 0.33\n", False),
    ({"tolerance": 0.01}, "x = nan\n", "x = 0.33\n", False),
    ({"tolerance": 0.01}, "y = 0.33\n", "x = 0.33\n", False),
    ({"tolerance": 0.01}, "x = 0.33\nmore\n", "x = 0.33\n", False),
]
RETURNED = [
    ({}, [2, 1], [1, 2], False),
    ({"order": "any"}, [2, 1], [1, 2], True),
    ({"order": "any"}, [[2, 1], [4, 3]], [[3, 4], [1, 2]], True),
    ({"order": "any"}, {"$set": [1, 2]}, [2, 1], True),
    ({"order": "any"}, [1, 1, 2], [1, 2], False),
    ({"order": "any", "repeats": "ignore"}, [1, 1, 2], [1, 2], True),
    ({"order": "any", "letter_case": "ignore"}, ["B", "a"], ["A", "b"], True),
    ({"letter_case": "ignore"}, "Cat", "cAT", True),
    ({"tolerance": 0.1}, [1.05], [1], True),
    ({"tolerance": 0.1}, [{"$int": "1" + "0" * 400}], [1], False),  # as a number beyond 64 bits arrives
]


def trial(judge: str, record: RunRecord, expect: Any, options: dict[str, Any]) -> Trial:
    case = make_case(make_kind(judge), expect=expect, options=options)
    kit: Any = object()  # neither judge asks it where a key is stored
    return Trial(case=case, kit=kit, puzzle=None, record=record)


@pytest.mark.parametrize(("options", "printed", "expected", "is_right"), PRINTED)
def test_printed_lines_are_compared_as_the_case_says(
    options: dict[str, Any], printed: str, expected: str, *, is_right: bool
) -> None:
    """Only what the options forgive is forgiven; what is wrong is explained."""
    record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(printed.encode()))
    judged = stdout.judge(trial("stdout", record, stdout.Expect(stdout=expected), options))
    assert judged.verdict is (Verdict.AC if is_right else Verdict.WA)
    assert is_right is (judged.mismatch is None)


@pytest.mark.parametrize(("options", "returned", "expected", "is_right"), RETURNED)
def test_returned_values_are_compared_as_the_case_says(
    options: dict[str, Any], returned: Any, expected: Any, *, is_right: bool
) -> None:
    """Lists may be sets where order doesn't count; numbers may be off where a tolerance says so."""
    record = RunRecord(ending=Ending.EXITED, replies=(Reply(value=returned),))
    judged = value.judge(trial("value", record, value.Expect(value=expected), options))
    assert judged.verdict is (Verdict.AC if is_right else Verdict.WA)


def test_what_is_missing_and_what_is_too_many_is_named() -> None:
    """In any order there is no first difference, so the odd ones are shown."""
    record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(b"cat\ndog\n"))
    judged = stdout.judge(trial("stdout", record, stdout.Expect(stdout="cat\ncow\n"), {"order": "any"}))
    assert judged.mismatch is not None
    assert judged.mismatch.message == (
        "the line 'cow' is missing, and the line 'dog' is one too many; the order doesn't count."
    )
