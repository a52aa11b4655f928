"""Compares a submission's attempt with the one before it: points, cases, lines of source.

Both are seen with the eyes of one reader (see view.py), so a student learns nothing here that the two pages together
don't show.
"""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING

from grader.report.clean import clean, clean_line
from grader.report.since import Mark, Since, SourceChange, Step
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import GradeSheet
    from grader.report.view import CaseView, SheetView

_LETTERS = 64_000
"""Of one file."""
_MOST_LINES = 1_000
"""Between the first and the last changed line: matching more takes too long on odd texts."""
_MOST_SHOWN = 300
"""Lines of differences on one page."""
_CONTEXT = 3
_KINDS = {"+": "new", "-": "gone", " ": "same", "@": "place"}


def since(before: GradeSheet, sheet: GradeSheet, shown: SheetView, *, published: bool = False) -> Since | None:
    """Compare two attempts for the reader of `shown`, the later one's view; None where nothing differs."""
    old = view(before, shown.audience, published=published)
    told = Since(
        before=old.points,
        after=shown.points,
        steps=tuple(_steps(old, shown)),
        sources=tuple(_changes(before.sources, sheet.sources)),
    )
    return told if told.steps or told.sources or told.before != told.after else None


def _steps(old: SheetView, new: SheetView) -> Iterator[Step]:
    known = {case.facts.id: case for case in old.cases}
    for case in new.cases:
        was, now = _mark(known.get(case.facts.id, case)), _mark(case)
        if was != now:
            yield Step(number=case.number, title=case.facts.title, before=was, after=now)


def _mark(case: CaseView) -> Mark:
    return Mark(outcome=str(case.outcome), verdict=case.verdict, points=case.points)


def _changes(old: dict[str, str], new: dict[str, str]) -> Iterator[SourceChange]:
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
