"""Compares two runs of one assignment: who rose, who fell, by which cases."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.model.verdict import Verdict
from grader.model.words import number
from grader.report.html.templates import fill
from grader.report.layout import RESULTS, SHEETS, write_atomically
from grader.report.results import RESULTS_FORMAT, ResultFile
from grader.report.since import moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

_LAST, _BEFORE = "last-run.json", "run-before.json"


class CaseChange(msgspec.Struct, frozen=True, kw_only=True):
    """One case whose verdict or points changed; None where a run doesn't have it."""

    id: str
    before: Verdict | None
    after: Verdict | None


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One submission that is not what it was."""

    submission: str
    before: float
    after: float
    cases: tuple[CaseChange, ...]

    @property
    def difference(self) -> float:
        return self.after - self.before


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two runs, the earlier one first; every submission of either is in one list or among the unchanged."""

    format: int = 1
    assignment: str
    rose: tuple[Change, ...]
    fell: tuple[Change, ...]
    other: tuple[Change, ...]
    """As many points as before, from other cases."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    cases: dict[str, tuple[int, int]]
    """Case → how many passed it before and after, where that changed."""


class Marks(msgspec.Struct, frozen=True):
    """What one submission got: in all, and verdict and points of each case as far as they are known."""

    points: float
    cases: dict[str, tuple[Verdict | None, float | None]]


class Run(msgspec.Struct, frozen=True):
    """The marks of one run, by submission."""

    assignment: str
    marks: dict[str, Marks]

    @property
    def cases(self) -> set[str]:
        return {name for one in self.marks.values() for name in one.cases}


def read_run(path: Path) -> Run:
    """Read a run by its folder or its results.json."""
    file = path / RESULTS if path.is_dir() else path
    try:
        run = msgspec.json.decode(file.read_bytes(), type=ResultFile)
    except OSError as error:
        raise UsageError(f"{file} can't be read: {error.strerror}", hint="grade with --format json,html") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is no results.json: {error}") from error
    if run.format != RESULTS_FORMAT:
        raise UsageError(f"{file} has format {run.format}; this version reads {RESULTS_FORMAT}")
    marks = {
        one.id: Marks(one.points, {case.id: (case.verdict, case.points) for case in one.cases})
        for one in run.submissions
    }
    return Run(run.assignment, marks)


def compare(before: Run, after: Run) -> Comparison:
    """Compare two runs of the same assignment."""
    if before.assignment != after.assignment:
        raise UsageError(f"one run is of {before.assignment}, the other of {after.assignment}")
    old, new = before.marks, after.marks
    changes = [change for name in sorted(old.keys() & new.keys()) if (change := _change(name, old[name], new[name]))]
    return Comparison(
        assignment=after.assignment,
        rose=tuple(sorted((c for c in changes if c.difference > 0), key=lambda c: (-c.difference, c.submission))),
        fell=tuple(sorted((c for c in changes if c.difference < 0), key=lambda c: (c.difference, c.submission))),
        other=tuple(change for change in changes if not change.difference),
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        unchanged=len(old.keys() & new.keys()) - len(changes),
        cases=_cases(before, after),
    )


def _change(name: str, before: Marks, after: Marks) -> Change | None:
    cases = tuple(
        CaseChange(id=case, before=was[0] if was else None, after=now[0] if now else None)
        for case, was, now in moved(before.cases, after.cases)
    )
    changed = cases or before.points != after.points
    return Change(submission=name, before=before.points, after=after.points, cases=cases) if changed else None


def _cases(before: Run, after: Run) -> dict[str, tuple[int, int]]:
    old, new = _passed(before), _passed(after)
    return {name: (old[name], new[name]) for name in {**new, **old} if old[name] != new[name]}


def _passed(run: Run) -> Counter[str]:
    return Counter(
        name for one in run.marks.values() for name, (verdict, _) in one.cases.items() if verdict is Verdict.AC
    )


def since_last(out: Path, now: Run, *, keep: bool) -> Comparison | None:
    """Compare a finished run with the one before it in this folder; None without one of the same cases.

    A run that gives what the last one gave is no new run: what its pages say stays as it was, byte for byte.
    """
    last = _kept(out / SHEETS / _LAST)
    before = _kept(out / SHEETS / _BEFORE) if last == now else last
    if keep:
        for name, run in ((_BEFORE, before), (_LAST, now)):
            write_atomically(out / SHEETS / name, msgspec.json.encode(run), private=True)
    if before is None or (before.assignment, before.cases) != (now.assignment, now.cases):
        return None
    return compare(before, now)


def _kept(path: Path) -> Run | None:
    """Read a run that was kept; one that isn't whole is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Run | None)
    except (OSError, ValueError):
        return None


def lines(comparison: Comparison) -> Iterator[str]:
    """Return the comparison as text, the falls first: they need somebody."""
    counts = f"{len(comparison.rose)} rose, {len(comparison.fell)} fell, {comparison.unchanged} are as they were"
    yield f"{comparison.assignment}: {counts}"
    for title, changes in (("Fell", comparison.fell), ("Rose", comparison.rose), ("Other cases", comparison.other)):
        if changes:
            yield ""
            yield f"{title}:"
            yield from (f"  {_words(change)}" for change in changes)
    for title, names in (("Only in the first run", comparison.removed), ("Only in the second", comparison.added)):
        if names:
            yield ""
            yield f"{title}: {', '.join(names)}"
    if comparison.cases:
        yield ""
        yield "Passed by:"
        yield from (f"  {name}: {was} → {now}" for name, (was, now) in comparison.cases.items())


def _words(change: Change) -> str:
    cases = ", ".join(f"{case.id} {case.before or '–'} → {case.after or '–'}" for case in change.cases)
    points = f"{number(change.before)} → {number(change.after)}"
    return f"{change.submission}: {points}" + (f" ({cases})" if cases else "")


def page(
    comparison: Comparison, classes: Sequence[tuple[str, str]] = (), pages: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the comparison as an HTML page, with the addresses of class pages, and of submissions' by id."""
    changed = [
        ("Fell", comparison.fell),
        ("Rose", comparison.rose),
        ("As many points, other cases", comparison.other),
    ]
    filled = [(title, changes) for title, changes in changed if changes]
    return fill("compare.html", scripts=(), comparison=comparison, changed=filled, classes=classes, pages=pages)
