"""The law of marks: a submission's points are those of all its cases, in whatever order they stand."""

from __future__ import annotations

import pytest
from order_law import points
from programs import program

CHOSEN = {
    "lefthand": (
        "WA/turns_on_the_spot",
        "TLE/end_is_no_first_way",
        "OLE/keeps_carriage_return",
        "AC/one_long_string",
    ),
    "runner": ("TLE/seeks_the_head_for_ever",),
}
"""Endless on a few cases, without end in output, slow and right; `order_law.py` tries all that there are."""


@pytest.mark.parametrize("name", CHOSEN)
def test_points_are_those_of_all_cases_in_any_order(name: str) -> None:
    """A fault costs the cases that show it, and no other is skipped for it."""
    by_way = points(name, [program(f"{name}/{one}") for one in CHOSEN[name]])
    assert len(by_way["all cases"]) == len(CHOSEN[name])
    assert all(marks == by_way["all cases"] for marks in by_way.values())
