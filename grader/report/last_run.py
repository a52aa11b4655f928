"""Remembers the marks of the last two runs that differ, below OUT/sheets, for `since the last run`.

A run that gives what the last one gave is no new run: what its pages say stays as it was, byte for byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Verdict
from grader.report.compare import Comparison, Marks, Run, compare
from grader.report.layout import SHEETS, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from grader.report.summary import ClassSummary

_FORMAT = 1
_LAST, _BEFORE = "last-run.json", "run-before.json"


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A run on disk: the cases, and per submission its points and verdicts."""

    format: int
    assignment: str
    cases: tuple[str, ...]
    rows: dict[str, tuple[float, str]]

    def run(self) -> Run:
        return Run(self.assignment, {name: self._marks(*row) for name, row in self.rows.items()})

    def _marks(self, points: float, verdicts: str) -> Marks:
        told = zip(self.cases, verdicts.split(" "), strict=True)
        return Marks(points, {case: (None if verdict == "-" else Verdict(verdict), None) for case, verdict in told})


def since_last(out: Path, summary: ClassSummary, *, keep: bool) -> Comparison | None:
    """Compare a finished run with the one before it in this folder; None without one of the same cases."""
    now, last = _kept(summary), _read(out / SHEETS / _LAST)
    before = _read(out / SHEETS / _BEFORE) if last == now else last
    if keep:
        kept = {_BEFORE: before, _LAST: now}
        for name, run in ((name, run) for name, run in kept.items() if run):
            write_atomically(out / SHEETS / name, msgspec.json.encode(run), private=True)
    if before is None or (before.assignment, before.cases) != (now.assignment, now.cases):
        return None
    return compare(before.run(), now.run())


def _kept(summary: ClassSummary) -> _Kept:
    rows = {row.id: (row.points, " ".join(mark or "-" for mark in row.marks)) for row in summary.sorted_rows()}
    return _Kept(format=_FORMAT, assignment=summary.assignment, cases=tuple(summary.columns), rows=rows)


def _read(path: Path) -> _Kept | None:
    """Read a run that was kept; one that isn't whole is none."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        kept.run()
    except (OSError, ValueError):
        return None
    return kept if kept.format == _FORMAT else None
