"""Grades submissions: intake, policy, runs, judge, sheet, in this order.

    submissions ─▶ scan ─▶ requests ─▶ engine ─▶ records ─▶ assess ─▶ add up ─▶ sheets
             └─▶ recall: what is known is neither scanned, run nor judged ─┘

Sheets come as they are finished. Only the submissions of one window and those that wait for a confirmed time-out are
in memory, however many there are.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from grader.engines.repeat import Repeats
from grader.model.run import RunRecord
from grader.model.submission import Note
from grader.model.verdict import Ending
from grader.pipeline.assess import assess
from grader.pipeline.prepare import request_for
from grader.pipeline.remember import Forgetful
from grader.pipeline.sheet import Outcome, add_up, findings_of, forbids_running, settle_unrun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.model.result import CaseResult, Finding, GradeSheet, Isolation
    from grader.model.run import BanUse, RunRequest
    from grader.model.seams import Engine
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Plan
    from grader.pipeline.remember import Judged, Memory, Recollection

_WINDOW = 32
"""Submissions whose cases are interleaved, so that everyone's first results come early."""

Key = tuple[int, int, int]
"""Number of the submission, of the case, and of the repetition."""
_KNOWN = -1
"""In a case's place: all cases of the submission that are known already."""
_NOTHING_RUN = RunRecord(ending=Ending.EXITED)


def grade(
    plan: Plan,
    submissions: Iterable[Submission],
    *,
    engine: Engine,
    seen: Callable[[CaseResult], None] = lambda _: None,
    memory: Memory | None = None,
) -> Iterator[GradeSheet]:
    """Give each submission's sheet as soon as its last case is judged; `seen` hears of every case."""
    desk = _Desk(plan, engine.isolation, memory or Forgetful())
    for key, record in engine.map(desk.requests(submissions)):
        for result in desk.take(key, record):
            seen(result)
        yield from desk.finished()
    yield from desk.finished()


class _Open:
    """A submission whose cases are being run."""

    def __init__(self, submission: Submission, findings: tuple[Finding, ...], page: Recollection) -> None:
        self.submission = submission
        self.findings = findings
        self.page = page
        self.known: dict[int, Judged] = {}
        self.waiting = 0
        self.results: dict[int, list[CaseResult]] = {}
        self.uses: dict[int, list[BanUse]] = {}
        self.repeats: Repeats[int] = Repeats()

    def take(self, index: int, result: CaseResult, uses: Iterable[BanUse]) -> None:
        self.results.setdefault(index, []).append(result)
        self.uses.setdefault(index, []).extend(uses)
        self.waiting -= 1


class _Desk:
    """Keeps the open submissions between their requests and their sheets."""

    def __init__(self, plan: Plan, isolation: Isolation, memory: Memory | Forgetful) -> None:
        self._assignment = plan.assignment
        self._cases = plan.cases
        self._places = {prepared.case.id: index for index, prepared in enumerate(plan.cases)}
        self._repeat = plan.repeat
        self._isolation = isolation
        self._memory = memory
        self._open: dict[int, _Open] = {}
        self._finished: deque[GradeSheet] = deque()

    def requests(self, submissions: Iterable[Submission]) -> Iterator[tuple[Key, RunRequest | RunRecord]]:
        """Scan each submission and plan its runs, window by window; what is known passes by as one item."""
        numbered = iter(enumerate(submissions))
        while window := list(islice(numbered, _WINDOW)):
            running = {number: entry for number, submission in window if (entry := self._admit(number, submission))}
            for number, entry in running.items():
                if entry.known:
                    yield (number, _KNOWN, 0), _NOTHING_RUN
            for index, prepared in enumerate(self._cases):
                for number, entry in running.items():
                    if index not in entry.known:
                        request = request_for(prepared, entry.submission, self._assignment)
                        for repetition in range(self._repeat):
                            yield (number, index, repetition), request

    def take(self, key: Key, record: RunRecord) -> Iterable[CaseResult]:
        """Judge one record; with a submission's last one its sheet is finished."""
        number, index, _ = key
        entry = self._open[number]
        if index == _KNOWN:
            results = [judged.result for judged in entry.known.values()]
            for place, judged in entry.known.items():
                entry.take(place, judged.result, judged.uses)
        else:
            results = [assess(self._cases[index], record, self._assignment.policy.cost)]
            entry.take(index, results[0], record.ban_uses)
            if self._repeat > 1:
                entry.repeats.note(index, record)
        if not entry.waiting:
            self._close(self._open.pop(number))
        return results

    def finished(self) -> Iterator[GradeSheet]:
        while self._finished:
            yield self._finished.popleft()

    def _admit(self, number: int, submission: Submission) -> _Open | None:
        page = self._memory.recall(submission)
        findings = self._scan(submission) if page.findings is None else page.findings
        settling = forbids_running(findings, self._assignment)
        if submission.problem or settling or not self._cases:
            cases = [prepared.case for prepared in self._cases]
            self._finish(submission, Outcome(settle_unrun(submission, cases, settling), findings))
            if page.findings is None:
                self._memory.remember(page, findings, ())
            return None
        entry = self._open[number] = _Open(submission, findings, page)
        entry.known = {self._places[name]: judged for name, judged in page.cases.items()}
        entry.waiting = len(entry.known) + (len(self._cases) - len(entry.known)) * self._repeat
        return entry

    def _scan(self, submission: Submission) -> tuple[Finding, ...]:
        from grader.policy.scan import scan  # noqa: PLC0415 - slow to import, and what is known isn't scanned

        return scan(submission.files, self._assignment.policy)

    def _close(self, entry: _Open) -> None:
        in_order = [entry.results[index] for index in range(len(self._cases))]
        findings = entry.findings + findings_of(use for uses in entry.uses.values() for use in uses)
        results = tuple(runs[0] for runs in in_order)
        self._finish(entry.submission, Outcome(results, findings, _flaky(in_order, entry.repeats)))
        if len(entry.known) < len(results):
            uses = (tuple(entry.uses[index]) for index in range(len(results)))
            self._memory.remember(entry.page, entry.findings, zip(results, uses, strict=True))

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
