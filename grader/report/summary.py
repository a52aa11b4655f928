"""Adds up a class, one sheet at a time, and keeps no evidence."""

from __future__ import annotations

import heapq
from collections import Counter

import msgspec

from grader.model.verdict import Audience
from grader.report.clean import clean_line
from grader.report.layout import folder_name
from grader.report.view import CaseView, Outcome, SheetView

_CLOSED = {
    Outcome.PASSED: "A",
    Outcome.PARTLY: "W",
    Outcome.FAILED: "W",
    Outcome.SKIPPED: "S",
    Outcome.ERROR: "J",
}
_MOST = 10
_FINDINGS_KEPT = 20


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One submission in the matrix; `marks` has one letter per case: the verdict's first."""

    id: str
    folder: str
    points: float
    max_points: float
    marks: str
    findings: int
    problem: str = ""


class Column(msgspec.Struct, kw_only=True):
    """One case over the whole class; counted up as sheets come in."""

    id: str
    title: str
    max_points: float
    verdicts: Counter[str]
    points: float = 0.0

    @property
    def runs(self) -> int:
        return self.verdicts.total()

    @property
    def pass_rate(self) -> float:
        return self.verdicts["A"] / self.runs if self.runs else 0.0


class Cost(msgspec.Struct, frozen=True, order=True):
    """One expensive run: how much, whose, in which case."""

    amount: float
    submission: str
    folder: str
    number: int
    title: str


class Alike(msgspec.Struct, frozen=True, kw_only=True):
    """Submissions whose first mismatch is the same."""

    case: str
    number: int
    verdict: str
    kind: str
    where: str
    message: str
    members: tuple[tuple[str, str], ...]
    """Id and folder of each."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """One finding of one submission."""

    submission: str
    folder: str
    path: str
    line: int
    message: str


class ClassSummary:
    """What the class page and the gradebook files need, in memory that grows by a line per submission."""

    def __init__(self) -> None:
        self.assignment = ""
        self.title = ""
        self.grader = ""
        self.level = ""
        self.audience = Audience.STAFF
        self.rows: list[Row] = []
        self.columns: dict[str, Column] = {}
        self.slowest: list[Cost] = []
        self.hungriest: list[Cost] = []
        self.findings: dict[str, list[Place]] = {}
        self._groups: dict[tuple[str, ...], tuple[CaseView, list[tuple[str, str]]]] = {}

    def add(self, sheet: SheetView, *, submission: str | None = None) -> None:
        """Count one sheet; `submission` is the id as it was before cleaning, which names the folder."""
        folder = folder_name(sheet.submission if submission is None else submission)
        self.assignment, self.title = sheet.assignment, sheet.title
        self.grader, self.level, self.audience = sheet.grader, sheet.level, sheet.audience
        letters = {case.id: self._count(case) for case in sheet.cases}
        self.rows.append(
            Row(
                id=sheet.submission,
                folder=folder,
                points=sheet.points,
                max_points=sheet.max_points,
                marks="".join(letters.get(name, ".") for name in self.columns),
                findings=len(sheet.findings),
                problem=sheet.problem,
            )
        )
        self._cost(sheet, folder)
        self._group(sheet, folder)
        self._find(sheet, folder)

    def everything(self) -> tuple[object, ...]:
        """Give all that was counted, as plain values."""
        head = (self.assignment, self.title, self.grader, self.level, self.audience)
        dearest = (sorted(self.slowest), sorted(self.hungriest))
        return (head, self.sorted_rows(), list(self.columns.values()), dearest, self.findings, self.groups())

    def sorted_rows(self) -> list[Row]:
        width = len(self.columns)
        rows = sorted(self.rows, key=lambda row: (row.id, row.folder))
        return [msgspec.structs.replace(row, marks=row.marks.ljust(width, ".")) for row in rows]

    def groups(self) -> list[Alike]:
        """Give the ways to fail that at least two submissions share, the largest first."""
        shared = [
            Alike(
                case=case.title,
                number=case.number,
                verdict=str(case.verdict or ""),
                kind=case.mismatch.kind if case.mismatch else "",
                where=case.mismatch.where if case.mismatch else "",
                message=clean_line(case.message, 400),
                members=tuple(sorted(members)),
            )
            for case, members in self._groups.values()
            if len(members) > 1
        ]
        return sorted(shared, key=lambda alike: (-len(alike.members), alike.number, alike.message))

    def failed_to_load(self) -> list[Row]:
        return [row for row in self.sorted_rows() if row.problem]

    def average(self) -> float:
        from statistics import mean  # noqa: PLC0415 - slow to import, and only a new class page needs it

        return mean(row.points for row in self.rows) if self.rows else 0.0

    def middle(self) -> float:
        from statistics import median  # noqa: PLC0415 - the same

        return median(row.points for row in self.rows) if self.rows else 0.0

    def max_points(self) -> float:
        return max((row.max_points for row in self.rows), default=0.0)

    def _count(self, case: CaseView) -> str:
        column = self.columns.get(case.id)
        if column is None:
            column = Column(id=case.id, title=case.title, max_points=case.max_points, verdicts=Counter())
            self.columns[case.id] = column
        letter = case.verdict[0] if case.verdict else _CLOSED[case.outcome]
        column.verdicts[letter] += 1
        column.points += case.points
        return letter

    def _cost(self, sheet: SheetView, folder: str) -> None:
        """Keep the dearest run of this submission, if it is among the dearest of the class."""
        runs = [(case.measured, case) for case in sheet.cases if case.measured]
        for most, measure in ((self.slowest, "cpu_s"), (self.hungriest, "peak_mib")):
            costs = (
                Cost(getattr(used, measure), sheet.submission, folder, case.number, case.title) for used, case in runs
            )
            _keep(most, max(costs, default=None))

    def _group(self, sheet: SheetView, folder: str) -> None:
        wrong = (case for case in sheet.cases if case.is_open and case.outcome in {Outcome.FAILED, Outcome.PARTLY})
        first = next(wrong, None)
        if first is None:
            return
        mismatch = first.mismatch
        reason = (mismatch.kind, mismatch.where) if mismatch else (first.message.split("\n", 1)[0],)
        key = (first.id, str(first.verdict), *reason)
        slim = msgspec.structs.replace(first, exhibit=type(first.exhibit)())
        self._groups.setdefault(key, (slim, []))[1].append((sheet.submission, folder))

    def _find(self, sheet: SheetView, folder: str) -> None:
        for finding in sheet.findings[:_FINDINGS_KEPT]:
            place = Place(
                submission=sheet.submission,
                folder=folder,
                path=finding.path,
                line=finding.line,
                message=clean_line(finding.message),
            )
            self.findings.setdefault(finding.rule, []).append(place)


def _keep(most: list[Cost], cost: Cost | None) -> None:
    if cost is None or cost.amount <= 0:
        return
    if len(most) < _MOST:
        heapq.heappush(most, cost)
    else:
        heapq.heappushpop(most, cost)
