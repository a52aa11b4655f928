"""Decides what runs next, and keeps the open submissions between their requests and their sheets.

Cases of a window of submissions take turns, so everyone's first results come early; in a class each submission has
as few cases running as it may have time-outs. A time-out may be owed to the machine's other work: it counts when the
program had its share of a core, or when it comes again *alone*, after all others; once per submission, since the
second time-out of a program is no surprise. After as many as the plan allows, the submission's other cases are
skipped; a wrong answer that took half of a limit of time or output, or that no reader can read, counts as one, and
so does each one after wrong answers that took very long to read.

Cases that students may see run first: so no hidden case decides whether a visible one is skipped.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from grader.engines.cores import cores
from grader.model.submission import Note
from grader.model.verdict import TIMED_OUT, Verdict
from grader.pipeline.accuse import Accuser
from grader.pipeline.grade_case import UNREADABLE, must_confirm, not_run, python_of
from grader.pipeline.order import in_turn
from grader.pipeline.prepare import request_for
from grader.pipeline.repeat import Repeats
from grader.pipeline.sheet import Outcome, add_up, forbids_running, settle_unrun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.cache.known import Known
    from grader.model.result import CaseResult, Finding, GradeSheet, Isolation
    from grader.model.run import BanUse, File, RunRecord, RunRequest
    from grader.model.submission import Submission
    from grader.pipeline.admit import Admitted
    from grader.pipeline.prepare import Plan
    from grader.readers.pool import Results

_WINDOW = 32
"""Submissions whose cases take turns."""
_FLOOD = 0.5
"""Share of the output limit from which on a wrong answer counts like a time-out: reading it takes as long."""
_FIRST_FAILURE = "not run: the first failure stops this check (-x)."
_TIME_OUTS = "not run, since {} took too much time or output."
_LONG_READ_S = 2.5
"""Processor time of ours, half of what a reader has, from which on a wrong answer counts like a time-out."""
_UNMET = "not run, since it comes after “{}”, which must be right first."


class Key(NamedTuple):
    """One run: number of the submission, of the case, and of the repetition."""

    submission: int
    case: int
    repetition: int


class _Open:
    """A submission whose cases are being run."""

    def __init__(self, number: int, admitted: Admitted, todo: Iterable[Key]) -> None:
        self.number = number
        self.submission = admitted.submission
        self.python = python_of(admitted.submission)
        self.findings = admitted.findings
        self.rules = admitted.rules
        self.todo = deque(todo)
        self.running = 0
        self.unread = 0
        """Runs begun whose record isn't judged."""
        self.timed_out: set[int] = set()
        """Cases that count as time-outs, confirmed or not."""
        self.suspects: deque[tuple[Key, RunRecord]] = deque()
        """Time-outs that are to be confirmed."""
        self.has_failed = False
        """Whether some case went wrong."""
        self.is_sure = False
        """Whether one was, or needed no confirmation."""
        self.costly: set[int] = set()
        """Cases that took long, or in which it printed without end, or nearly so."""
        self.results: dict[int, list[CaseResult]] = {}
        self.uses: dict[int, list[BanUse]] = {}
        self.repeats: Repeats[int] = Repeats()

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
        self.is_sure = self.is_sure or is_again or not must_confirm(record)
        self.suspects.append((key, record))
        if not self.is_sure:
            return []
        sure, self.suspects = self.suspects, deque()
        return sure


class Schedule:
    """All submissions of one grade; one thread's."""

    def __init__(
        self,
        plan: Plan,
        isolation: Callable[[], Isolation],
        seen: Callable[[CaseResult], None],
        known: Known | None = None,
    ) -> None:
        self._known = known
        self._plan = plan
        self._accuser = Accuser(plan.cases)
        self._isolation = isolation
        self._seen = seen
        self._order, self._needs = in_turn([prepared.case for prepared in plan.cases], plan.assignment.groups)
        self._cores = cores()
        self._open: dict[int, _Open] = {}
        self._turns: deque[_Open] = deque()
        """Submissions that have cases to run."""
        self._waiting: deque[_Open] = deque()
        """Submissions that have time-outs to confirm and nothing else to run meanwhile."""
        self._rested: list[_Open] = []
        """Submissions that go on when nothing waits for confirmation any more."""
        self._running = 0
        self._finished: deque[GradeSheet] = deque()
        self._is_drawn = False

    @property
    def is_over(self) -> bool:
        return self._is_drawn and not self._open

    def requests(self, admitted: Results[int, Admitted]) -> Iterator[tuple[Key, RunRequest] | None]:
        """Yield what to run next; None when that depends on what is running; end when it depends on what is read."""
        while True:
            self._open_more(admitted)
            key = self._next()
            if key is not None:
                self._isolation()  # raises where no wall holds: before anything runs
                entry = self._open[key.submission]
                entry.running += 1
                self._running += 1
                yield key, request_for(self._plan.cases[key.case], entry.submission, self._plan.assignment)
            elif self._running:
                yield None
            else:
                return

    def held_back(self, records: Iterable[tuple[Key, RunRecord]]) -> Iterator[tuple[Key, RunRecord]]:
        """Yield the records that can be judged; a time-out comes after its confirmation."""
        for key, record in records:
            entry = self._open[key.submission]
            entry.running -= 1
            self._running -= 1
            settled = entry.returned(key, record)
            self._place(entry)
            for sure, found in settled:
                entry.uses.setdefault(sure.case, []).extend(found.ban_uses)
                limit = self._plan.cases[sure.case].case.limits.output_mib * (1 << 20)
                entry.costly |= {sure.case} if found.was_long or found.stdout.size > _FLOOD * limit else set()
                if self._plan.repeat > 1:
                    entry.repeats.note(sure.case, found)
                yield sure, found

    def python_of(self, key: Key) -> tuple[File, ...]:
        """Return the submission's files that explain a record."""
        return self._open[key.submission].python

    def take(self, key: Key, result: CaseResult, *, keep: bool) -> None:
        """Take a result; with a submission's last one its sheet is finished."""
        entry = self._open[key.submission]
        entry.unread -= 1
        entry.results.setdefault(key.case, []).append(result)
        is_unreadable = result.mismatch is not None and result.mismatch.kind == UNREADABLE
        if result.verdict is not Verdict.AC:
            entry.has_failed = True
            if is_unreadable or key.case in entry.costly or result.read_s > _LONG_READ_S:
                entry.timed_out.add(key.case)
            self._place(entry)
        if self._known and keep and not is_unreadable:
            from grader.cache.known import Judged  # noqa: PLC0415 - a `check` keeps nothing

            judged = Judged(
                result=result, uses=tuple(entry.uses.get(key.case, ())), timed_out=key.case in entry.timed_out
            )
            self._known.keep(entry.submission, self._plan.cases[key.case], judged)
        self._seen(result)
        self._close_if_done(key.submission, entry)

    def finished(self) -> Iterator[GradeSheet]:
        while self._finished:
            yield self._finished.popleft()

    def _open_more(self, admitted: Results[int, Admitted]) -> None:
        """Fill the window; wait for a submission only when there is nothing else to do."""
        while not self._is_drawn and len(self._turns) < _WINDOW and len(self._finished) < _WINDOW:
            if (self._turns or self._running) and admitted.waiting():
                return
            number, found = next(admitted, (0, None))
            if found is None:
                self._is_drawn = True
            else:
                self._admit(number, found)

    def _admit(self, number: int, admitted: Admitted) -> None:
        submission, findings = admitted.submission, admitted.findings
        for result in admitted.rules:
            self._seen(result)
        settling = forbids_running(findings, self._plan.assignment)
        if submission.problem or settling or not self._order:
            cases = [prepared.case for prepared in self._plan.cases]
            results = settle_unrun(submission, cases, settling)
            for result in results:
                self._seen(result)
            self._finish(submission, Outcome(results + admitted.rules, findings))
            return
        todo = (Key(number, case, run) for case in self._order for run in range(self._plan.repeat))
        entry = self._open[number] = _Open(number, admitted, todo)
        self._turns.append(entry)

    def _next(self) -> Key | None:
        """Choose a run: the next submission's in turn; when there is none and nothing runs, a confirmation."""
        is_alone = self._is_drawn and len(self._open) == 1
        abreast = self._cores if is_alone else min(self._plan.timeouts, self._cores)
        for _ in range(len(self._turns)):
            if not self._turns:
                break
            entry = self._turns[0]
            self._turns.rotate(-1)
            left = self._plan.timeouts - len(entry.timed_out)
            if entry.running < (min(left, abreast) if entry.timed_out else abreast):
                key = self._first_unknown(entry)
                if not entry.todo:
                    self._turns.pop()
                if key is not None:
                    entry.unread += 1
                    return key
                self._place(entry)
                self._close_if_done(entry.number, entry)
        if self._running or self._turns:
            return None
        if self._waiting:
            return self._waiting[0].suspects[0][0]
        self._turns.extend(self._rested)
        self._rested.clear()
        return self._next() if self._turns else None

    def _first_unknown(self, entry: _Open) -> Key | None:
        """Take the results that are known already, each in its turn; return the first run that must be made."""
        while not self._is_stopped(entry):
            key = next((key for key in entry.todo if not self._waits(entry, key.case)), None)
            if key is None:
                return None
            entry.todo.remove(key)
            if self._is_in_vain(entry, key.case):
                continue
            judged = self._known and self._known.recall(entry.submission, self._plan.cases[key.case])
            if not judged:
                return key
            entry.results[key.case] = [judged.result]
            entry.uses[key.case] = [*judged.uses]
            entry.timed_out |= {key.case} if judged.timed_out else set()
            entry.has_failed = entry.has_failed or judged.result.verdict is not Verdict.AC
            self._seen(judged.result)
        return None

    def _waits(self, entry: _Open, case: int) -> bool:
        """Tell whether it isn't known yet that this case runs."""
        undecided = (need for need in self._needs[case] if need not in entry.results)
        return any(not self._is_in_vain(entry, need) for need in undecided) and not self._is_in_vain(entry, case)

    def _is_in_vain(self, entry: _Open, case: int) -> bool:
        """Tell whether a case that must be right before this one is wrong, or in vain itself."""
        results = entry.results
        return any(
            results[need][0].verdict is not Verdict.AC if need in results else self._is_in_vain(entry, need)
            for need in self._needs[case]
        )

    def _is_stopped(self, entry: _Open) -> bool:
        return len(entry.timed_out) >= self._plan.timeouts or (self._plan.stops and entry.has_failed)

    def _place(self, entry: _Open) -> None:
        """Move a submission between those that take turns, that wait, and that go on later."""
        is_stopped = self._is_stopped(entry)
        for queue in (self._turns, self._rested):
            if is_stopped and entry in queue:
                queue.remove(entry)
        if entry in self._waiting:
            if not entry.suspects:
                self._waiting.remove(entry)
                if entry.todo and not is_stopped:
                    self._rested.append(entry)
        elif entry.suspects and not entry.running and entry not in self._turns:
            self._waiting.append(entry)

    def _close_if_done(self, number: int, entry: _Open) -> None:
        if entry.unread or (entry.todo and not self._is_stopped(entry)):
            return
        del self._open[number]
        cases = range(len(self._plan.cases))
        uses = [(self._plan.cases[case].case.id, u) for case, us in sorted(entry.uses.items()) for u in us]
        findings = entry.findings + self._seen_used(uses, entry.submission)
        results = self._in_order(entry)
        flaky = _flaky([entry.results.get(case, []) for case in cases], entry.repeats)
        named = self._accuser.name_mistakes([results[case] for case in cases])
        self._finish(entry.submission, Outcome((*named, *entry.rules), findings, flaky))

    def _seen_used(self, uses: list[tuple[str, BanUse]], submission: Submission) -> tuple[Finding, ...]:
        """Find what the watch saw; nothing is loaded for the many of which it saw nothing."""
        if not uses:
            return ()
        from grader.policy.rules.banned import used  # noqa: PLC0415 - as above

        return used(uses, submission.files, self._plan.assignment.policy)

    def _in_order(self, entry: _Open) -> dict[int, CaseResult]:
        """Skip what comes after the last time-out allowed, even if it ran: marks don't depend on the machine."""
        results: dict[int, CaseResult] = {}
        time_outs = 0
        has_failed = False
        for case in self._order:
            runs = entry.results.get(case)
            is_stopped = self._plan.stops and has_failed
            unmet = [need for need in self._needs[case] if results[need].verdict is not Verdict.AC]
            if runs and time_outs < self._plan.timeouts and not is_stopped and not unmet:
                results[case] = runs[0]
                time_outs += case in entry.timed_out
                has_failed = has_failed or runs[0].verdict is not Verdict.AC
                continue
            if is_stopped:
                message = _FIRST_FAILURE
            elif unmet:
                message = _UNMET.format(self._plan.cases[unmet[0]].case.facts.title)
            else:
                message = _TIME_OUTS.format("an earlier case" if time_outs == 1 else f"{time_outs} earlier cases")
            results[case] = not_run(self._plan.cases[case].case.facts, Verdict.SK, message)
            if not runs:
                self._seen(results[case])
        return results

    def _finish(self, submission: Submission, outcome: Outcome) -> None:
        sheet = add_up(submission, self._plan.assignment, outcome=outcome, isolation=self._isolation())
        self._finished.append(sheet)


def _flaky(in_order: list[list[CaseResult]], repeats: Repeats[int]) -> tuple[Note, ...]:
    """Note the cases whose repetitions differ, whatever the verdicts say."""
    notes = []
    for case, parts in sorted(repeats.differing().items()):
        runs = in_order[case]
        verdicts = ", ".join(sorted({result.verdict for result in runs}))
        message = f"{runs[0].id}: {len(runs)} runs differ in {' and '.join(parts)} ({verdicts})"
        notes.append(Note(kind="not-deterministic", message=message))
    return tuple(notes)
