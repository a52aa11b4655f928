"""Decides what runs next, and keeps the open submissions between their requests and their sheets.

Cases of a window of submissions take turns, so everyone's first results come early. A time-out that may be the
machine's is confirmed *alone*, after all others. What a submission's records and results mean for its other cases is
told by `Open`.

Cases that students may see run first: so no hidden case decides whether a visible one is skipped.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.engines.worker import cores
from grader.pipeline.open_submission import Open, in_turn
from grader.pipeline.prepare import request_for
from grader.pipeline.sheet import Accuser, Outcome, add_up, forbids_running, settle_unrun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.cache.known import Known
    from grader.model.result import CaseResult, Finding, GradeSheet, Isolation
    from grader.model.run import BanUse, File, RunRecord, RunRequest
    from grader.model.submission import Submission
    from grader.pipeline.admit import Admitted
    from grader.pipeline.open_submission import Key
    from grader.pipeline.prepare import Plan
    from grader.readers.pool import Results

_WINDOW = 32
"""Submissions whose cases take turns."""
_ABREAST = 2
"""Cases of one submission that run at once while there are others."""


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
        self._order = in_turn([prepared.case for prepared in plan.cases], plan.assignment.groups)
        self._cores = cores()
        self._open: dict[int, Open] = {}
        self._turns: deque[Open] = deque()
        """Submissions that have cases to run."""
        self._waiting: deque[Open] = deque()
        """Submissions that have time-outs to confirm and nothing else to run meanwhile."""
        self._rested: list[Open] = []
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
                self._running += 1
                request = request_for(self._plan.cases[key.case], entry.submission, self._plan.assignment)
                yield key, replace(request, limits=entry.begin(key))
            elif self._running:
                yield None
            else:
                return

    def held_back(self, records: Iterable[tuple[Key, RunRecord]]) -> Iterator[tuple[Key, RunRecord]]:
        """Yield the records that can be judged; a time-out comes after its confirmation."""
        for key, record in records:
            entry = self._open[key.submission]
            self._running -= 1
            settled = entry.returned(key, record)
            self._place(entry)
            for sure, found in settled:
                entry.note(sure, found)
                yield sure, found

    def python_of(self, key: Key) -> tuple[File, ...]:
        """Return the submission's files that explain a record."""
        return self._open[key.submission].python

    def take(self, key: Key, result: CaseResult) -> None:
        """Take a result; with a submission's last one its sheet is finished."""
        entry = self._open[key.submission]
        is_read = entry.take(key, result)
        self._place(entry)
        if self._known and is_read:
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
        if submission.problem or settling or not self._order.cases:
            cases = [prepared.case for prepared in self._plan.cases]
            results = settle_unrun(submission, cases, settling)
            for result in results:
                self._seen(result)
            self._finish(submission, Outcome(results + admitted.rules, findings))
            return
        entry = self._open[number] = Open(number, admitted, self._plan, self._order)
        self._turns.append(entry)

    def _next(self) -> Key | None:
        """Choose a run: the next submission's in turn; when there is none and nothing runs, a confirmation."""
        is_alone = self._is_drawn and len(self._open) == 1
        abreast = self._cores if is_alone else min(_ABREAST, self._cores)
        for _ in range(len(self._turns)):
            if not self._turns:
                break
            entry = self._turns[0]
            self._turns.rotate(-1)
            if entry.running >= abreast:
                continue
            key = self._first_unknown(entry)
            if key is not None:
                entry.unread += 1
            self._place(entry)
            if key is not None:
                return key
            self._close_if_done(entry.number, entry)
        if self._running or self._turns:
            return None
        if self._waiting:
            return self._waiting[0].suspects[0][0]
        self._turns.extend(self._rested)
        self._rested.clear()
        return self._next() if self._turns else None

    def _first_unknown(self, entry: Open) -> Key | None:
        """Take the results that are known already, each in its turn; return the first run that must be made."""
        while (key := entry.draw()) is not None:
            judged = self._known and self._known.recall(entry.submission, self._plan.cases[key.case])
            if not judged or not entry.recall(key, judged):
                return key
            self._seen(judged.result)
        return None

    def _place(self, entry: Open) -> None:
        """Put a submission among those that take turns, that wait, that go on later, or none of them."""
        if not entry.has_more:
            for queue in (self._turns, self._rested):
                if entry in queue:
                    queue.remove(entry)
        if entry in self._waiting:
            if not entry.suspects:
                self._waiting.remove(entry)
                if entry.has_more:
                    self._rested.append(entry)
        elif entry.is_blocked:
            if entry in self._turns:
                self._turns.remove(entry)
            self._waiting.append(entry)
        elif entry.has_more and entry not in self._turns and entry not in self._rested:
            self._turns.append(entry)

    def _close_if_done(self, number: int, entry: Open) -> None:
        if not entry.is_done:
            return
        del self._open[number]
        uses = [(self._plan.cases[case].case.id, u) for case, us in sorted(entry.uses.items()) for u in us]
        findings = entry.findings + self._seen_used(uses, entry.submission)
        results = entry.in_order()
        for case, result in results.items():
            if not entry.has_run(case):
                self._seen(result)
        named = self._accuser.name_mistakes([results[case] for case in sorted(results)])
        self._finish(entry.submission, Outcome((*named, *entry.rules), findings, entry.flaky()))

    def _seen_used(self, uses: list[tuple[str, BanUse]], submission: Submission) -> tuple[Finding, ...]:
        """Find what the watch saw; nothing is loaded for the many of which it saw nothing."""
        if not uses:
            return ()
        from grader.policy.rules.banned import used  # noqa: PLC0415 - as above

        return used(uses, submission.files, self._plan.assignment.policy)

    def _finish(self, submission: Submission, outcome: Outcome) -> None:
        sheet = add_up(submission, self._plan.assignment, outcome=outcome, isolation=self._isolation())
        self._finished.append(sheet)
