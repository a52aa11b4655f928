"""Compares two attempts of a submission as one reader may see them: points, cases, lines of source.

A student learns nothing here that the pages of both attempts don't show; of what hidden cases did, only outcomes.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, TypeVar

import msgspec

from grader.model.verdict import Verdict
from grader.report.clean import clean, clean_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from grader.report.view import CaseView, SheetView

M = TypeVar("M")
_LETTERS = 64_000
"""Of one file."""
_MOST_LINES = 1_000
"""Between the first and the last changed line: matching more takes too long on odd texts."""
_MOST_SHOWN = 300
"""Lines of differences on one page."""
_CONTEXT = 3
_KINDS = {"+": "new", "-": "gone", " ": "same", "@": "place"}


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a case, as far as the reader may know."""

    outcome: str
    verdict: Verdict | None
    points: float | None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One case that isn't what it was."""

    number: int
    title: str
    before: Mark
    after: Mark

    @property
    def gain(self) -> float:
        return (self.after.points or 0.0) - (self.before.points or 0.0)


class SourceChange(msgspec.Struct, frozen=True, kw_only=True):
    """The changed lines of one file: each with its kind, `new`, `gone`, `same` or `place`."""

    path: str
    lines: tuple[tuple[str, str], ...]
    note: str = ""


class Since(msgspec.Struct, frozen=True, kw_only=True):
    """What is not as it was in the attempt before."""

    before: float
    after: float
    steps: tuple[Step, ...]
    sources: tuple[SourceChange, ...]

    @property
    def groups(self) -> list[tuple[str, list[Step]]]:
        """Return the changed cases, those that need looking at first."""
        groups = [
            ("Worse", [step for step in self.steps if step.gain < 0]),
            ("Better", [step for step in self.steps if step.gain > 0]),
            ("Otherwise", [step for step in self.steps if not step.gain]),
        ]
        return [(title, steps) for title, steps in groups if steps]


def since(old: SheetView, new: SheetView, before: Mapping[str, str], after: Mapping[str, str]) -> Since | None:
    """Compare two views and the sources of both attempts; None where nothing differs."""
    numbers = {case.facts.id: (case.number, case.facts.title) for case in new.cases}
    found = Since(
        before=old.points,
        after=new.points,
        steps=tuple(
            Step(number=numbers[name][0], title=numbers[name][1], before=was, after=now)
            for name, was, now in moved(_marks(old.cases), _marks(new.cases))
            if was and now
        ),
        sources=tuple(_changes(before, after)),
    )
    return found if found.steps or found.sources or found.before != found.after else None


def moved(before: Mapping[str, M], after: Mapping[str, M]) -> Iterator[tuple[str, M | None, M | None]]:
    """Yield each case whose mark isn't what it was; None stands where an attempt or a run doesn't have it."""
    for name in {**after, **before}:
        was, now = before.get(name), after.get(name)
        if was != now:
            yield name, was, now


def _marks(cases: tuple[CaseView, ...]) -> dict[str, Mark]:
    return {
        case.facts.id: Mark(outcome=str(case.outcome), verdict=case.verdict, points=case.points) for case in cases
    }


def _changes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[SourceChange]:
    left = _MOST_SHOWN
    for path in sorted(old.keys() | new.keys()):
        before, after = (clean(text.get(path, ""), _LETTERS) for text in (old, new))
        if before == after:
            continue
        lines = [*_difference(before.split("\n") if before else [], after.split("\n") if after else [])]
        note = "" if lines else "Too much changed to show it line by line."
        if len(lines) > left:
            note = f"{len(lines) - left} more lines are not shown."
        yield SourceChange(path=clean_line(path), lines=tuple(lines[:left]), note=note)
        left = max(0, left - len(lines))


def _difference(before: list[str], after: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the lines of a unified difference; none where it would take long."""
    shorter = min(len(before), len(after))
    head = next((at for at in range(shorter) if before[at] != after[at]), shorter)
    rest = shorter - head
    tail = next((at for at in range(rest) if before[-1 - at] != after[-1 - at]), rest)
    if max(len(before), len(after)) - head - tail > _MOST_LINES:
        return
    start = max(0, head - _CONTEXT)
    ends = [len(lines) - max(0, tail - _CONTEXT) for lines in (before, after)]
    found = unified_diff(before[start : ends[0]], after[start : ends[1]], lineterm="", n=_CONTEXT)
    for line in list(found)[2:]:
        place = f"from line {int(line.split('+')[1].split(',')[0].split(' ')[0]) + start}" if line[0] == "@" else ""
        yield _KINDS[line[0]], place or line[1:]
