"""Finds the one mistake that explains most of what failed, as far as the reader may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.model.verdict import FIRST_SEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.report.view import CaseView


class Mistake(NamedTuple):
    """What explains many failed cases at once."""

    words: str
    example: CaseView
    explained: int
    """Failed cases, of so many in all."""
    failed: int


def mistake(cases: Sequence[CaseView]) -> Mistake | None:
    """Return the mistake as the least open case words it: that one was named with the most cases in mind."""
    wrong = [case for case in cases if case.is_wrong]
    told = [case for case in wrong if case.mismatch and case.mismatch.cause]
    if not told:
        return None
    closest = max(told, key=lambda case: FIRST_SEEN.index(case.facts.visibility))
    words = closest.mismatch.cause if closest.mismatch else ""
    return Mistake(words, told[0], len(told), len(wrong))


def without_cause(case: CaseView) -> str:
    """Return the case's message without the mistake that ends it, where that is told above all cases."""
    cause = case.mismatch.cause if case.mismatch else ""
    return case.message.removesuffix(cause).rstrip()
