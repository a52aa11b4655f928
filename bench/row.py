"""One line of the table: a ratio, its goal, and the command it is measured against."""

from __future__ import annotations

import msgspec


class Score(msgspec.Struct, frozen=True, kw_only=True):
    found: str
    goal: str = ""
    met: bool | None = None
    """None where there is no goal, or nothing to measure against."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    what: str
    instead: str
    """The command that a user would type instead."""
    score: Score
    detail: str = ""


def plain(value: float) -> Score:
    return Score(found=f"{value:.3g}")


def at_most(value: float, goal: float) -> Score:
    return Score(found=f"{value:.3g}", goal=f"≤ {goal:g}", met=value <= goal)


def at_least(value: float, goal: float) -> Score:
    return Score(found=f"{value:.3g}", goal=f"≥ {goal:g}", met=value >= goal)


def missing(what: str) -> Score:
    """Say why nothing was measured."""
    return Score(found=what)
