"""Limits stay far above the slowest right solution."""

from __future__ import annotations

from model_values import make_case, make_kind, make_result, make_sheet

from grader.model.run import Limits
from grader.pipeline.speed import factor
from grader.prove.headroom import EFFICIENCY, headroom


def test_the_slowest_right_solution_decides() -> None:
    """Wrong solutions may be as slow as they like."""
    case = make_case(make_kind(), limits=Limits(cpu_s=6))
    sheets = (
        make_sheet("AC/quick", make_result(cpu_s=0.1)),
        make_sheet("AC/slow", make_result(cpu_s=2.0 * factor())),
        make_sheet("WA/endless", make_result(cpu_s=6.0)),
    )
    (found,) = headroom([case], sheets)
    assert (found.solution, found.ratio, found.is_thin) == ("AC/slow", 3.0, False)


def test_a_thin_limit_is_warned_of_unless_the_case_asks_for_speed() -> None:
    """Only a case that says so may time a right program out."""
    sheets = (make_sheet("AC/slow", make_result(cpu_s=2.0 * factor())),)
    (plain,) = headroom([make_case(make_kind(), limits=Limits(cpu_s=5))], sheets)
    (asking,) = headroom([make_case(make_kind(), tags=(EFFICIENCY,), limits=Limits(cpu_s=5))], sheets)
    assert plain.is_thin
    assert not asking.is_thin
