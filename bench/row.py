"""One line of the table: a ratio, its spread, its goal, and the command it is measured against."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence


class Score(msgspec.Struct, frozen=True, kw_only=True):
    value: float | None
    goal: float | None = None
    is_least: bool = False
    """The goal is the least that is wanted; else the most."""
    lacking: str = ""
    """Why nothing was measured."""
    spread: tuple[float, float] | None = None
    """The lowest and the highest of several runs."""

    @property
    def found(self) -> str:
        if self.value is None:
            return self.lacking
        low, high = (f"{each:.3g}" for each in self.spread or (self.value, self.value))
        return f"{self.value:.3g}" if low == high else f"{self.value:.3g} ({low} – {high})"

    @property
    def wanted(self) -> str:
        return "" if self.goal is None else f"{'≥' if self.is_least else '≤'} {self.goal:g}"

    @property
    def met(self) -> bool | None:
        """Tell whether the median reaches the goal; None where there is no goal, or nothing was measured."""
        if self.goal is None or self.value is None:
            return None
        return self.value >= self.goal if self.is_least else self.value <= self.goal


class Row(msgspec.Struct, frozen=True, kw_only=True):
    number: str
    what: str
    instead: str
    """The command that a user would type instead."""
    score: Score
    detail: str = ""
    doubt: str = ""
    """Why the figure can't be believed."""


def merged(runs: Sequence[Row], fewer: str) -> Row:
    """Make one row of the same row's runs: the middle one, with the spread of all; say where they are `fewer`."""
    values = sorted(row.score.value for row in runs if row.score.value is not None)
    if not values:
        return runs[0]
    middle = min(runs, key=lambda row: abs((row.score.value or 0.0) - median(values)))
    spread = msgspec.structs.replace(middle.score, value=median(values), spread=(values[0], values[-1]))
    doubt = next((row.doubt for row in runs if row.doubt), "")
    detail = "; ".join(filter(None, (middle.detail, fewer)))
    return msgspec.structs.replace(middle, score=spread, detail=detail, doubt=doubt)


def plain(value: float) -> Score:
    return Score(value=value)


def at_most(value: float, goal: float) -> Score:
    return Score(value=value, goal=goal)


def at_least(value: float, goal: float) -> Score:
    return Score(value=value, goal=goal, is_least=True)


def missing(what: str) -> Score:
    """Say why nothing was measured."""
    return Score(value=None, lacking=what)
