"""Turns a judgement into points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.judgement import Judgement


def points_for(case: Case, judgement: Judgement) -> float:
    """Give full points, none, or what the case grants for the parts that are right."""
    if judgement.verdict is Verdict.AC:
        return case.points
    if judgement.verdict is not Verdict.WA or judgement.mismatch is None:
        return 0.0
    mismatch = judgement.mismatch
    granted = sum(case.partial.get(part, 0.0) for part in mismatch.right)
    granted += mismatch.share * case.partial.get("moves", 0.0)
    return round(case.points * min(1.0, granted), 6)
