"""A mistake is named when it explains the whole submission, and tells nothing of cases that fewer people may see."""

from __future__ import annotations

from typing import Any

import pytest
from model_values import make_case, make_kind, make_result

from grader.model.kit import WithheldError
from grader.model.result import Accusation, CaseResult, Mismatch, Suspicion
from grader.model.run import Calls
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.prepare import Prepared
from grader.pipeline.sheet import Accuser


class Colours:
    """A puzzle is the text of those mistakes that would pass it."""

    def __init__(self) -> None:
        self.asked = 0

    def would_pass(self, puzzle: str, suspect: str) -> bool:
        self.asked += 1
        if puzzle == "withheld":
            raise WithheldError(puzzle)
        if puzzle == "broken":
            raise ZeroDivisionError
        return suspect in puzzle

    def accuse(self, suspects: tuple[str, ...]) -> Accusation | None:
        return Accusation(kind="named", words=f"It is {suspects[0]}.") if len(suspects) == 1 else None


def heard(*cases: tuple[str, CaseResult], kit: Any = None) -> tuple[CaseResult, ...]:
    kind = make_kind()
    chosen: Any = kit or Colours()
    prepared = [
        Prepared(
            case=make_case(kind, result.id),
            kit=chosen,
            puzzle=puzzle,
            how=Calls(module="m.py", function="f", arguments=()),
            inputs=(),
        )
        for puzzle, result in cases
    ]
    return Accuser(prepared).name_mistakes([result for _, result in cases])


def passed(puzzle: str, visibility: Visibility = Visibility.VISIBLE) -> tuple[str, CaseResult]:
    return puzzle, make_result("p", Verdict.AC, visibility=visibility)


def failed(*names: str, weight: int = 2, visibility: Visibility = Visibility.VISIBLE) -> tuple[str, CaseResult]:
    mismatch = Mismatch(kind="plain", message="it differs", suspicion=Suspicion(names=names, weight=weight))
    result = make_result("f", Verdict.WA, visibility=visibility, message=mismatch.message, mismatch=mismatch)
    return "", result


def unknown() -> tuple[str, CaseResult]:
    return "", make_result("u", Verdict.RTE, message="crash", mismatch=Mismatch(kind="crash", message="crash"))


@pytest.mark.parametrize(
    ("cases", "words"),
    [
        ([failed("red")], "it differs. It is red."),
        ([failed("red", "blue")], "it differs"),
        ([failed("red", "blue"), failed("blue", "green")], "it differs. It is blue."),
        ([failed("red"), failed("green")], "it differs"),
        ([failed("red"), failed()], "it differs"),
        ([failed("red", "blue"), passed("blue green")], "it differs. It is blue."),
        ([failed("red"), passed("")], "it differs"),
        ([failed("red"), passed("withheld")], "it differs"),
        ([failed("red"), passed("broken")], "it differs"),
        ([failed("red"), unknown()], "it differs. It is red."),
        ([failed("red", weight=1)], "it differs"),
        ([failed("red", weight=1), failed("red", weight=1)], "it differs. It is red."),
    ],
)
def test_a_mistake_must_explain_every_case(cases: list[tuple[str, CaseResult]], words: str) -> None:
    """It gives each wrong answer, would pass what passed, is alone in that, and there is proof enough."""
    first = heard(*cases)[0]
    assert first.mismatch is not None
    assert first.message == first.mismatch.message == words
    assert first.mismatch.kind == ("named" if "It is" in words else "plain")


def test_no_suspicion_is_left_in_a_sheet() -> None:
    """Names of known mistakes are staff's; only the words of an accusation go out."""
    results = heard(failed("red", "blue"), failed("red", visibility=Visibility.HIDDEN), unknown())
    assert all(result.mismatch and result.mismatch.suspicion is None for result in results)


def test_a_visible_case_hears_nothing_of_hidden_ones() -> None:
    """Whatever happens on hidden cases, the visible message stays the same; hidden ones hear all."""
    hidden = [failed("blue", visibility=Visibility.HIDDEN), passed("", Visibility.HIDDEN)]
    visible = {heard(failed("red", "blue"), other)[0].message for other in [*hidden, failed("red", "blue")]}
    assert visible == {"it differs"}
    assert heard(failed("red"), hidden[0])[0].message == "it differs. It is red."
    assert heard(failed("red", "blue"), hidden[0])[1].message == "it differs. It is blue."


def test_a_later_case_hears_those_that_are_shown_with_it() -> None:
    """After the due date nothing of what stays hidden is told either."""
    later = failed("red", "blue", visibility=Visibility.AFTER_DUE_DATE)
    results = heard(failed("red"), later, failed("green", visibility=Visibility.HIDDEN))
    assert results[1].message == "it differs. It is red."


def test_right_submissions_cost_nothing_and_others_once() -> None:
    """A kit is asked only where something is suspected, and about one case and mistake only once."""
    kit = Colours()
    heard(passed("red"), passed("red"), kit=kit)
    assert kit.asked == 0
    accuser_results = heard(failed("red"), passed("red"), kit=kit)
    assert kit.asked == 1
    assert accuser_results[1].message == ""
