"""Keeps one submission whose cases are being run: what came of them, and what follows for the others.

A time-out may be owed to the machine's other work: it counts when the program had its share of a core, or when it
comes again *alone*, after all others; once per submission, since the second time-out of a program is no surprise.
After as many as the plan allows, the submission's other cases are skipped; a wrong answer that took half of a limit
of time or output, or that no reader can read, counts as one, and so does each one after wrong answers that took very
long to read.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from grader.model.submission import Note
from grader.model.verdict import TIMED_OUT, Verdict
from grader.pipeline.grade_case import UNREADABLE, must_confirm, not_run, python_of
from grader.pipeline.repeat import Repeats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.cache.known import Judged
    from grader.model.result import CaseResult
    from grader.model.run import BanUse, RunRecord
    from grader.pipeline.admit import Admitted
    from grader.pipeline.order import Order
    from grader.pipeline.prepare import Plan

_FLOOD = 0.5
"""Share of the output limit from which on a wrong answer counts like a time-out: reading it takes as long."""
_LONG_READ_S = 2.5
"""Processor time of ours, half of what a reader has, from which on a wrong answer counts like a time-out."""
_FIRST_FAILURE = "not run: the first failure stops this check (-x)."
_TIME_OUTS = "not run, since {} took too much time or output."
_UNMET = "not run, since it comes after “{}”, which must be right first."


class Key(NamedTuple):
    """One run: number of the submission, of the case, and of the repetition."""

    submission: int
    case: int
    repetition: int


class Open:
    """A submission whose cases are being run."""

    def __init__(self, number: int, admitted: Admitted, plan: Plan, order: Order) -> None:
        self.number = number
        self.submission = admitted.submission
        self.python = python_of(admitted.submission)
        self.findings = admitted.findings
        self.rules = admitted.rules
        self._plan = plan
        self._order, self._needs = order
        self.todo = deque(Key(number, case, run) for case in self._order for run in range(plan.repeat))
        self.running = 0
        self.unread = 0
        """Runs begun whose record isn't judged."""
        self.timed_out: set[int] = set()
        """Cases that count as time-outs, confirmed or not."""
        self.suspects: deque[tuple[Key, RunRecord]] = deque()
        """Time-outs that are to be confirmed."""
        self.uses: dict[int, list[BanUse]] = {}
        self._has_failed = False
        """Whether some case went wrong."""
        self._is_sure = False
        """Whether a time-out was, or needed no confirmation."""
        self._costly: set[int] = set()
        """Cases that took long, or in which it printed without end, or nearly so."""
        self._results: dict[int, list[CaseResult]] = {}
        self._repeats: Repeats[int] = Repeats()

    @property
    def is_stopped(self) -> bool:
        return len(self.timed_out) >= self._plan.timeouts or (self._plan.stops and self._has_failed)

    @property
    def is_done(self) -> bool:
        return not self.unread and (not self.todo or self.is_stopped)

    def returned(self, key: Key, record: RunRecord) -> Iterable[tuple[Key, RunRecord]]:
        """Take a record; return those that can be judged now."""
        is_again = bool(self.suspects) and self.suspects[0][0] == key
        if is_again:
            self.suspects.popleft()
            self.timed_out.discard(key.case)
        if record.ending not in TIMED_OUT:
            return [(key, record)]
        self.timed_out.add(key.case)
        if record.waited:
            return [(key, record)]
        self._is_sure = self._is_sure or is_again or not must_confirm(record)
        self.suspects.append((key, record))
        if not self._is_sure:
            return []
        sure, self.suspects = self.suspects, deque()
        return sure

    def note(self, key: Key, record: RunRecord) -> None:
        """Note of a record what its result won't say."""
        self.uses.setdefault(key.case, []).extend(record.ban_uses)
        limit = self._plan.cases[key.case].case.limits.output_mib * (1 << 20)
        self._costly |= {key.case} if record.was_long or record.stdout.size > _FLOOD * limit else set()
        if self._plan.repeat > 1:
            self._repeats.note(key.case, record)

    def take(self, key: Key, result: CaseResult) -> bool:
        """Take a result; tell whether a reader could read the answer."""
        self.unread -= 1
        self._results.setdefault(key.case, []).append(result)
        is_unreadable = result.mismatch is not None and result.mismatch.kind == UNREADABLE
        if result.verdict is not Verdict.AC:
            self._has_failed = True
            if is_unreadable or key.case in self._costly or result.read_s > _LONG_READ_S:
                self.timed_out.add(key.case)
        return not is_unreadable

    def recall(self, case: int, judged: Judged) -> None:
        """Take a result that was known before."""
        self._results[case] = [judged.result]
        self.uses[case] = [*judged.uses]
        self.timed_out |= {case} if judged.timed_out else set()
        self._has_failed = self._has_failed or judged.result.verdict is not Verdict.AC

    def draw(self) -> Key | None:
        """Take the first run that doesn't wait for another case, and drop those that are in vain."""
        while not self.is_stopped:
            key = next((key for key in self.todo if not self._waits(key.case)), None)
            if key is None:
                return None
            self.todo.remove(key)
            if not self._is_in_vain(key.case):
                return key
        return None

    def _waits(self, case: int) -> bool:
        """Tell whether it isn't known yet that this case runs."""
        undecided = (need for need in self._needs[case] if need not in self._results)
        return any(not self._is_in_vain(need) for need in undecided) and not self._is_in_vain(case)

    def _is_in_vain(self, case: int) -> bool:
        """Tell whether a case that must be right before this one is wrong, or in vain itself."""
        results = self._results
        return any(
            results[need][0].verdict is not Verdict.AC if need in results else self._is_in_vain(need)
            for need in self._needs[case]
        )

    def in_order(self) -> dict[int, CaseResult]:
        """Skip what comes after the last time-out allowed, even if it ran: marks don't depend on the machine."""
        results: dict[int, CaseResult] = {}
        time_outs = 0
        has_failed = False
        for case in self._order:
            runs = self._results.get(case)
            is_stopped = self._plan.stops and has_failed
            unmet = [need for need in self._needs[case] if results[need].verdict is not Verdict.AC]
            if runs and time_outs < self._plan.timeouts and not is_stopped and not unmet:
                results[case] = runs[0]
                time_outs += case in self.timed_out
                has_failed = has_failed or runs[0].verdict is not Verdict.AC
                continue
            if is_stopped:
                message = _FIRST_FAILURE
            elif unmet:
                message = _UNMET.format(self._plan.cases[unmet[0]].case.facts.title)
            else:
                message = _TIME_OUTS.format("an earlier case" if time_outs == 1 else f"{time_outs} earlier cases")
            results[case] = not_run(self._plan.cases[case].case.facts, Verdict.SK, message)
        return results

    def has_run(self, case: int) -> bool:
        return case in self._results

    def flaky(self) -> tuple[Note, ...]:
        """Note the cases whose repetitions differ, whatever the verdicts say."""
        notes = []
        for case, parts in sorted(self._repeats.differing().items()):
            runs = self._results.get(case, [])
            verdicts = ", ".join(sorted({result.verdict for result in runs}))
            message = f"{runs[0].id}: {len(runs)} runs differ in {' and '.join(parts)} ({verdicts})"
            notes.append(Note(kind="not-deterministic", message=message))
        return tuple(notes)
