"""One line of the table: a ratio, its goal, and the command it is measured against."""

from __future__ import annotations

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    what: str
    instead: str
    """The command that a user would type instead."""
    found: str
    goal: str = ""
    met: bool | None = None
    """None where there is no goal, or nothing to measure against."""
    detail: str = ""


def at_most(value: float, goal: float) -> dict[str, object]:
    """Give the fields of a row whose value shall not exceed the goal."""
    return {"found": f"{value:.3g}", "goal": f"≤ {goal:g}", "met": value <= goal}


def at_least(value: float, goal: float) -> dict[str, object]:
    """Give the fields of a row whose value shall reach the goal."""
    return {"found": f"{value:.3g}", "goal": f"≥ {goal:g}", "met": value >= goal}
