"""Adds up a class, one sheet at a time, and keeps no evidence."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from operator import itemgetter
from statistics import mean, median
from textwrap import shorten

import msgspec

from grader.model import lms
from grader.model.verdict import Verdict
from grader.model.words import number
from grader.report.clean import clean_line
from grader.report.compare import Marks, Run
from grader.report.failures import mistake
from grader.report.view import CaseView, Outcome, SheetView

_MOODLE_FOLDER = re.compile(r"(?P<name>.+?)_(?P<participant>\d+)_assignsubmission_.*")
_MOST = 10
_FINDINGS_KEPT = 20
_NEAR = 0.25
"""Share of wrong cases up to which one reason is likely to be one fault."""
_STOPPED = frozenset({Verdict.SK, *(verdict for verdict in Verdict if verdict.is_stop)})
_MESSAGE = 400
"""Letters of what a group is told."""
_CLAUSES = re.compile(r"(.*)[.,:;] ", re.DOTALL)
_REASON = 200
"""Letters of a reason in a list of people."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One submission in the matrix; `marks` has a verdict's code per case, empty where there is none."""

    id: str
    name: str
    """The student's name where the learning platform's folder has it, else the id."""
    folder: str
    points: float
    max_points: float
    unjudged: int
    marks: tuple[str, ...]
    findings: int
    problem: str = ""
    one_reason: str = ""
    """What is wrong, where one mistake explains all, or the wrong cases are few, or all forbidden, and fail alike."""
    first_reason: str = ""
    """What is wrong in the first wrong case."""

    @property
    def has_full_marks(self) -> bool:
        return self.points >= self.max_points > 0

    @property
    def always_stops(self) -> bool:
        """It ended badly in every case, so no answer of it was ever judged."""
        return any(self.marks) and all(mark in _STOPPED for mark in self.marks if mark)


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
        return self.verdicts[Verdict.AC] / self.runs if self.runs else 0.0


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
    """Name and folder of each."""


class _Group(msgspec.Struct, kw_only=True):
    """Such submissions while they come in."""

    first: tuple[str, CaseView]
    """The first of them by id, whichever came first: a page must not depend on that."""
    said: str
    """What the messages of all begin with."""
    is_whole: bool = True
    members: list[tuple[str, str]]

    @property
    def message(self) -> str:
        """What is true of all of them; where their messages have no clause in common, what one of them was told."""
        clauses = self.said if self.is_whole else _clauses(self.said)
        message = clauses or f"One of them reads: {self.first[1].message}"
        return shorten(message, _MESSAGE, placeholder=" …") + ("" if self.is_whole or not clauses else " …")


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
        self.rows: list[Row] = []
        self.columns: dict[str, Column] = {}
        self._slow: list[Cost] = []
        self._hungry: list[Cost] = []
        self.findings: dict[str, list[Place]] = {}
        self._groups: dict[tuple[str, ...], _Group] = {}

    def add(self, sheet: SheetView) -> None:
        """Count one sheet."""
        self.assignment, self.title = sheet.assignment, sheet.title
        self.grader, self.level = sheet.grader, sheet.level
        marks = {case.facts.id: self._count(case) for case in sheet.cases}
        wrong = [case for case in sheet.cases if case.is_wrong and case.outcome is not Outcome.ERROR]
        self.rows.append(
            Row(
                id=sheet.submission,
                name=_name(sheet.submission),
                folder=sheet.folder,
                points=sheet.points,
                max_points=sheet.max_points,
                unjudged=sheet.unjudged,
                marks=tuple(marks.get(name, "") for name in self.columns),
                findings=len(sheet.findings),
                problem=sheet.problem,
                one_reason=_one_reason(wrong, len(sheet.cases)),
                first_reason=shorten(wrong[0].message, _REASON, placeholder=" …") if wrong else "",
            )
        )
        self._cost(sheet)
        self._group(sheet)
        self._find(sheet)

    def sorted_rows(self) -> list[Row]:
        """Return the rows by id, each with a mark for every case."""
        blanks = ("",) * len(self.columns)
        rows = sorted(self.rows, key=lambda row: (row.id, row.folder))
        return [msgspec.structs.replace(row, marks=row.marks + blanks[len(row.marks) :]) for row in rows]

    def run(self) -> Run:
        """Return the marks, for a comparison with another run."""
        return Run(
            self.assignment,
            {
                row.id: Marks(
                    row.points,
                    {
                        name: (Verdict(mark) if mark else None, None)
                        for name, mark in zip(self.columns, row.marks, strict=True)
                    },
                )
                for row in self.sorted_rows()
            },
        )

    def groups(self) -> list[Alike]:
        """Return the ways to fail that at least two submissions share, the largest first."""
        shared = [
            Alike(
                case=case.facts.title,
                number=case.number,
                verdict=str(case.verdict or ""),
                kind=case.mismatch.kind if case.mismatch else "",
                where=case.mismatch.where if case.mismatch else "",
                message=group.message,
                members=tuple(sorted(group.members)),
            )
            for group in self._groups.values()
            for _, case in [group.first]
            if len(group.members) > 1
        ]
        return sorted(shared, key=lambda alike: (-len(alike.members), alike.number, alike.message))

    def triage(self) -> list[tuple[str, list[Row]]]:
        """Return who needs staff first, each once, with why."""
        rows = [row for row in self.sorted_rows() if not row.has_full_marks]
        never = [row for row in rows if row.problem]
        stopped = [row for row in rows if row.always_stops and not row.problem]
        near = [row for row in rows if row.one_reason and not (row.always_stops or row.problem)]
        groups = [
            ("Never ran", never),
            ("Stops with an error or at a limit in every case", stopped),
            ("One fix from full marks", near),
        ]
        return [(title, found) for title, found in groups if found]

    def slowest(self) -> list[Cost]:
        return heapq.nlargest(_MOST, self._slow)

    def hungriest(self) -> list[Cost]:
        return heapq.nlargest(_MOST, self._hungry)

    def failed_to_load(self) -> list[Row]:
        return [row for row in self.sorted_rows() if row.problem]

    def unjudged(self) -> list[Row]:
        return [row for row in self.sorted_rows() if row.unjudged]

    def average(self) -> float:
        return mean(row.points for row in self.rows) if self.rows else 0.0

    def middle(self) -> float:
        return median(row.points for row in self.rows) if self.rows else 0.0

    def max_points(self) -> float:
        """Return what the cases are worth; a row's own sum leaves out what could not be judged there."""
        return sum(column.max_points for column in self.columns.values())

    def _count(self, case: CaseView) -> str:
        facts = case.facts
        column = self.columns.get(facts.id)
        if column is None:
            column = Column(id=facts.id, title=facts.title, max_points=facts.worth, verdicts=Counter())
            self.columns[facts.id] = column
        mark = str(case.verdict or "")
        column.verdicts[mark] += 1
        column.points += case.points or 0.0
        return mark

    def _cost(self, sheet: SheetView) -> None:
        """Keep the dearest run of this submission."""
        runs = [(case.measured, case) for case in sheet.cases if case.measured]
        for dear, measure in ((self._slow, "cpu_s"), (self._hungry, "peak_mib")):
            costs = (
                Cost(getattr(used, measure), sheet.submission, sheet.folder, case.number, case.facts.title)
                for used, case in runs
                if getattr(used, measure) > 0
            )
            dear.extend(sorted(costs)[-1:])

    def _group(self, sheet: SheetView) -> None:
        wrong = (case for case in sheet.cases if case.is_wrong and case.outcome is not Outcome.ERROR)
        first = next(wrong, None)
        if first is None:
            return
        mismatch = first.mismatch
        reason = (mismatch.kind, mismatch.where) if mismatch else (first.message.split("\n", 1)[0],)
        key = (first.facts.id, str(first.verdict), *reason)
        shown = (sheet.submission, first)
        group = self._groups.setdefault(key, _Group(first=shown, said=first.message, members=[]))
        group.members.append((_name(sheet.submission), sheet.folder))
        group.first = min(group.first, shown, key=itemgetter(0))
        if group.said != first.message:
            group.said, group.is_whole = _begin_alike(group.said, first.message), False

    def _find(self, sheet: SheetView) -> None:
        for finding in sheet.findings[:_FINDINGS_KEPT]:
            place = Place(
                submission=sheet.submission,
                folder=sheet.folder,
                path=finding.path,
                line=finding.line,
                message=clean_line(finding.message),
            )
            self.findings.setdefault(finding.rule, []).append(place)


def _begin_alike(one: str, other: str) -> str:
    pairs = enumerate(zip(one, other, strict=False))
    return one[: next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))]


def _clauses(text: str) -> str:
    """Leave out the clause in which a text breaks off."""
    found = _CLAUSES.match(text)
    return found[1] if found else ""


def _name(submission: str) -> str:
    """Return the student's name, where the id is a folder of Moodle's."""
    folder = _MOODLE_FOLDER.fullmatch(submission)
    return folder["name"] if folder else submission


def _one_reason(wrong: list[CaseView], cases: int) -> str:
    """Return what one fix would mend; empty where there may be several faults."""
    found = mistake(wrong)
    if found and found.explained == found.failed:
        return found.words
    reasons = {(case.verdict, case.mismatch.kind if case.mismatch else case.message) for case in wrong}
    is_near = len(wrong) <= _NEAR * cases or all(case.verdict is Verdict.PV for case in wrong)
    return shorten(wrong[0].message, _REASON, placeholder=" …") if len(reasons) == 1 and is_near else ""


def canvas(summary: ClassSummary) -> str:
    return lms.canvas(summary.title, number(summary.max_points()), _marks(summary))


def moodle(summary: ClassSummary) -> str:
    """Return Moodle's worksheet; ids that are Moodle's own folder names give participant and name."""
    return lms.moodle(number(summary.max_points()), _marks(summary))


def _marks(summary: ClassSummary) -> list[lms.Mark]:
    return [_mark(row, len(summary.columns)) for row in summary.sorted_rows()]


def _mark(row: Row, cases: int) -> lms.Mark:
    folder = _MOODLE_FOLDER.fullmatch(row.id)
    words = row.problem or f"{row.marks.count(Verdict.AC)} of {cases} cases passed."
    names = {"name": folder["name"], "moodle_id": folder["participant"]} if folder else {}
    return lms.Mark(
        of=lms.Student(student=row.id, **names),
        points="" if row.unjudged else number(row.points),
        words="" if row.unjudged else words,
    )
