"""Grades submissions: intake, policy, runs, judge, sheet, in this order.

    submissions ─▶ scan ─▶ requests ─▶ engine ─▶ records ─▶ assess ─▶ add up ─▶ sheets

Sheets come as they are finished. Only the submissions of one window and those that wait for a confirmed time-out are
in memory, however many there are.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from grader.engines.repeat import Repeats
from grader.model.submission import Note
from grader.pipeline.assess import assess
from grader.pipeline.prepare import request_for
from grader.pipeline.sheet import Outcome, add_up, findings_of, forbids_running, settle_unrun
from grader.policy.scan import scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.model.result import CaseResult, Finding, GradeSheet, Isolation
    from grader.model.run import BanUse, RunRecord, RunRequest
    from grader.model.seams import Engine
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan

_WINDOW = 32
"""Submissions whose cases are interleaved, so that everyone's first results come early."""

Key = tuple[int, int, int]
"""Number of the submission, of the case, and of the repetition."""


def grade(
    plan: Plan,
    submissions: Iterable[Submission],
    *,
    engine: Engine,
    seen: Callable[[CaseResult], None] = lambda _: None,
) -> Iterator[GradeSheet]:
    """Give each submission's sheet as soon as its last case is judged; `seen` hears of every case."""
    desk = _Desk(plan, engine.isolation)
    for key, record in engine.map(desk.requests(submissions)):
        seen(desk.take(key, record))
        yield from desk.finished()
    yield from desk.finished()


class _Open:
    """A submission whose cases are being run."""

    def __init__(self, submission: Submission, findings: tuple[Finding, ...], waiting: int) -> None:
        self.submission = submission
        self.findings = findings
        self.waiting = waiting
        self.results: dict[int, list[CaseResult]] = {}
        self.uses: list[BanUse] = []
        self.repeats: Repeats[int] = Repeats()


class _Desk:
    """Keeps the open submissions between their requests and their sheets."""

    def __init__(self, plan: Plan, isolation: Isolation) -> None:
        self._assignment = plan.assignment
        self._cases = plan.cases
        self._repeat = plan.repeat
        self._isolation = isolation
        self._open: dict[int, _Open] = {}
        self._finished: deque[GradeSheet] = deque()

    def requests(self, submissions: Iterable[Submission]) -> Iterator[tuple[Key, RunRequest]]:
        """Scan each submission and plan its runs, window by window."""
        numbered = iter(enumerate(submissions))
        while window := list(islice(numbered, _WINDOW)):
            running = [(number, submission) for number, submission in window if self._admit(number, submission)]
            for index, prepared in enumerate(self._cases):
                for number, submission in running:
                    request = request_for(prepared, submission, self._assignment)
                    for repetition in range(self._repeat):
                        yield (number, index, repetition), request

    def take(self, key: Key, record: RunRecord) -> CaseResult:
        """Judge one record; with a submission's last one its sheet is finished."""
        number, index, _ = key
        entry = self._open[number]
        result = assess(self._cases[index], record, self._assignment.policy.cost)
        entry.results.setdefault(index, []).append(result)
        entry.uses.extend(record.ban_uses)
        if self._repeat > 1:
            entry.repeats.note(index, record)
        entry.waiting -= 1
        if not entry.waiting:
            self._close(self._open.pop(number))
        return result

    def finished(self) -> Iterator[GradeSheet]:
        while self._finished:
            yield self._finished.popleft()

    def _admit(self, number: int, submission: Submission) -> bool:
        findings = scan(submission.files, self._assignment.policy)
        settling = forbids_running(findings, self._assignment)
        if submission.problem or settling or not self._cases:
            cases = [prepared.case for prepared in self._cases]
            self._finish(submission, Outcome(settle_unrun(submission, cases, settling), findings))
            return False
        self._open[number] = _Open(submission, findings, len(self._cases) * self._repeat)
        return True

    def _close(self, entry: _Open) -> None:
        in_order = [entry.results[index] for index in range(len(self._cases))]
        findings = entry.findings + findings_of(entry.uses)
        results = tuple(runs[0] for runs in in_order)
        self._finish(entry.submission, Outcome(results, findings, _flaky(in_order, entry.repeats)))

    def _finish(self, submission: Submission, outcome: Outcome) -> None:
        sheet = add_up(submission, self._assignment, outcome=outcome, isolation=self._isolation)
        self._finished.append(sheet)


def _flaky(in_order: list[list[CaseResult]], repeats: Repeats[int]) -> tuple[Note, ...]:
    """Note the cases whose repetitions differ, whatever the verdicts say."""
    notes = []
    for index, parts in sorted(repeats.differing().items()):
        runs = in_order[index]
        verdicts = ", ".join(sorted({result.verdict for result in runs}))
        message = f"{runs[0].id}: {len(runs)} runs differ in {' and '.join(parts)} ({verdicts})"
        notes.append(Note(kind="not-deterministic", message=message))
    return tuple(notes)
