"""Groups failures, so that what is the same is told once, and finds the mistake behind most of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from grader.model.verdict import FIRST_SEEN, Verdict
from grader.report.view import Outcome
from grader.tracebacks import summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.report.view import CaseView, SheetView

_PLACE = re.compile(r'^  File "([^"\n]{1,300})", line (\d{1,9})', re.MULTILINE)
_LIMITS = frozenset({"time", "output", "memory"})
"""Kinds of a mismatch that says nothing but which limit ended the run; where it was then is chance."""


class Failure(NamedTuple):
    """Cases that fail for the same reason, the first one as their example."""

    cases: tuple[CaseView, ...]
    is_all: bool
    """It is every case that was put."""

    @property
    def example(self) -> CaseView:
        return self.cases[0]

    @property
    def hint(self) -> str:
        """The case's hint; cases that fail alike need the same one, or none."""
        hints = {case.facts.hint for case in self.cases}
        return hints.pop() if len(hints) == 1 else ""


def failures(view: SheetView) -> tuple[Failure, ...]:
    """Group what went wrong that the reader may see, in the order of the cases; what was skipped comes last."""
    groups: dict[tuple[str, ...], list[CaseView]] = {}
    for case in view.cases:
        if case.is_open and case.outcome is not Outcome.PASSED:
            groups.setdefault(_reason(case), []).append(case)
    found = [Failure(tuple(cases), 1 < len(cases) == len(view.cases)) for cases in groups.values()]
    return tuple(sorted(found, key=lambda failure: failure.example.outcome is Outcome.SKIPPED))


def _reason(case: CaseView) -> tuple[str, ...]:
    """Give what makes two failures the same: a crash by its kind and line, a limit by its kind, else words."""
    verdict, mismatch = str(case.verdict), case.mismatch
    if case.verdict is Verdict.RTE and mismatch and case.exhibit.traceback:
        places = _PLACE.findall(case.exhibit.traceback)
        return (verdict, mismatch.kind, *(places[-1] if places else [summary_of(case.exhibit.traceback)]))
    if mismatch and mismatch.kind in _LIMITS:
        return (verdict, mismatch.kind)
    return (verdict, case.message)


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
