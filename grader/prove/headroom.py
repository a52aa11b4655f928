"""Measures how much of each time limit the slowest right solution leaves free."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Verdict
from grader.pipeline.speed import stretched

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Case
    from grader.model.result import GradeSheet

MARGIN = 3
"""A limit is at least so many times what the slowest right solution needs."""
EFFICIENCY = "efficiency"
"""The tag of a case that means to time out right but slow programs; its title, hint and handout say so too."""
_LEAST_S = 0.01
"""Seconds below which a program's time is Python's own start."""


class Headroom(msgspec.Struct, frozen=True, kw_only=True):
    """One case's limit beside the slowest right solution."""

    case: str
    limit_s: float
    slowest_s: float
    solution: str
    """The slowest right one; `<expected verdict>/<name>`."""
    asks_for_speed: bool = False

    @property
    def ratio(self) -> float:
        return self.limit_s / max(self.slowest_s, _LEAST_S)

    @property
    def is_thin(self) -> bool:
        """Tell whether a right program of another style may be timed out though the case doesn't ask for speed."""
        return self.ratio < MARGIN and not self.asks_for_speed


def headroom(cases: Iterable[Case], sheets: Iterable[GradeSheet]) -> Iterator[Headroom]:
    """Yield every case that a right solution was timed on; sheets are those of the tree of solutions."""
    right = [sheet for sheet in sheets if sheet.submission.startswith(f"{Verdict.AC.value}/")]
    for case in cases:
        times = [
            (result.cpu_s, sheet.submission) for sheet in right for result in sheet.cases if result.id == case.id
        ]
        if times:
            slowest_s, solution = max(times)
            yield Headroom(
                case=case.id,
                limit_s=stretched(case.limits).cpu_s,
                slowest_s=slowest_s,
                solution=solution,
                asks_for_speed=EFFICIENCY in case.facts.tags,
            )
