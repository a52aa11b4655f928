"""Keeps one submission whose cases are being run: what came of them, and what follows for the others.

Marks don't depend on the order of the cases. Each is first run with little time, several times what the submission's
other runs took. What is stopped runs again when its other answers turn out to need more; else with all of its time,
the smallest input first, until as many as the plan's `timeouts` have taken it in vain (one, if no run has come to an
end at all, a few longer ones included). Only what is left then is skipped. What students may see is settled before
anything hidden begins.

A time-out may be owed to the machine's other work: it counts when the program had its share of a core, or when it
comes again *alone*, after all others; once per submission, since the second time-out of a program is no surprise.
"""

from __future__ import annotations

from collections import deque
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from grader.engines.worker import BROKEN
from grader.model import wire
from grader.model.run import Reply
from grader.model.submission import Note
from grader.model.verdict import FIRST_SEEN, TIMED_OUT, Ending, Verdict
from grader.pipeline.grade_case import UNREADABLE, must_confirm, not_run, python_of
from grader.pipeline.prepare import ALL_CASES

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from grader.cache.known import Judged
    from grader.model.assignment import Case, Group
    from grader.model.result import CaseResult
    from grader.model.run import BanUse, Limits, RunRecord
    from grader.pipeline.admit import Admitted
    from grader.pipeline.prepare import Plan


_ENDLESS = TIMED_OUT | {Ending.OUTPUT_LIMIT}
_SHORT_CPU_S, _SHORT_WALL_S, _SHARE = 0.06, 1.0, 80
"""Time that a case has at first, at least: so much, or this part of its limit."""
_TRIALS, _TRIAL_SHARE = (0, 1, 3, 6, 10), 10
"""Cases, by size, that have more where no run has ended: to find what a program needs before it begins to answer."""
_CPU_MARGIN, _WALL_MARGIN, _MORE = 5, 2, 2
"""Times what other runs took that a case has; the clock includes waiting. So many times more is worth a run."""
_LONG_READ_S, _MOST_READ_S = 2.5, 10.0
"""Processor time of ours that an unreadable answer counts for, and that one submission's wrong answers may take."""
_SMALL_BITS = 10
"""Inputs of up to a KiB are equally small."""
_FIRST_FAILURE = "not run: the first failure stops this check (-x)."
_UNREAD = "not run, since your answers to other cases take too long to read."
_TIME_OUTS = "stopped early, since {} ran on to the limit of time or output."
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
        self._stages = deque(_stages(plan, self._order))
        self._stage: list[int] = []
        self._todo: deque[Key] = deque()
        self.running = 0
        self.unread = 0
        """Runs begun whose record isn't judged."""
        self.timed_out: set[int] = set()
        """Cases that took all of their time or output, confirmed or not, or long for a wrong answer."""
        self.suspects: deque[tuple[Key, RunRecord]] = deque()
        """Time-outs that are to be confirmed."""
        self.uses: dict[int, list[BanUse]] = {}
        self._stopped: dict[int, Limits] = {}
        """Cases that were stopped before their limits, and by which."""
        self._given: dict[Key, Limits] = {}
        self._tried: set[int] = set()
        self._granted: set[int] = set()
        """Cases that have all of their time."""
        self._given_up: set[int] = set()
        self._has_failed = False
        """Whether some case went wrong."""
        self._is_sure = False
        """Whether a time-out was, or needed no confirmation."""
        self._read_s = 0.0
        """Processor time of ours that wrong answers took."""
        self._costly: set[int] = set()
        """Cases that took long, with all of their time."""
        self._results: dict[int, list[CaseResult]] = {}
        self._repeats: Repeats[int] = Repeats()

    @property
    def _is_bounded(self) -> bool:
        return self._plan.timeouts < ALL_CASES

    @property
    def is_stopped(self) -> bool:
        is_costly = self._is_bounded and self._read_s > _MOST_READ_S
        return is_costly or (self._plan.stops and self._has_failed)

    @property
    def has_more(self) -> bool:
        """Tell whether there is, or may be, something to run."""
        return bool(self._todo or self._stopped or self._stages) and not self.is_stopped

    @property
    def is_blocked(self) -> bool:
        """Tell whether it can't go on before a time-out is confirmed."""
        return bool(self.suspects) and self.unread == len(self.suspects)

    @property
    def is_done(self) -> bool:
        return not self.unread and not self.has_more

    def _limits(self, key: Key) -> Limits:
        full = self._plan.cases[key.case].case.limits
        if key.case in self._granted or key.repetition or self._plan.stops or not self._is_bounded:
            return full
        ended = [runs[0] for case, runs in self._results.items() if case not in self.timed_out]
        share = _TRIAL_SHARE if key.case in self._tried else _SHARE
        cpu_s = _CPU_MARGIN * max((result.cpu_s for result in ended), default=0.0)
        wall_s = _WALL_MARGIN * max((result.wall_s for result in ended), default=0.0)
        return replace(
            full,
            cpu_s=min(full.cpu_s, max(_SHORT_CPU_S, full.cpu_s / share, cpu_s)),
            wall_s=min(full.wall_s, max(_SHORT_WALL_S, full.wall_s / share, wall_s)),
        )

    def begin(self, key: Key) -> Limits:
        """Return what the run that begins now may use."""
        self.running += 1
        self._given[key] = self._limits(key)
        return self._given[key]

    def returned(self, key: Key, record: RunRecord) -> Iterable[tuple[Key, RunRecord]]:
        """Take a record; return those that can be judged now."""
        self.running -= 1
        if self._was_short(key) and (record.ending in _ENDLESS or _is_broken(record)):
            self.unread -= 1
            self._stopped[key.case] = self._given[key]
            return []
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

    def _was_short(self, key: Key) -> bool:
        """Tell whether a run had less than the case's limits."""
        return self._given[key] != self._plan.cases[key.case].case.limits

    def note(self, key: Key, record: RunRecord) -> None:
        """Note of a record what its result won't say."""
        self.uses.setdefault(key.case, []).extend(record.ban_uses)
        is_long = record.was_long and not self._was_short(key)
        self._costly |= {key.case} if is_long or record.ending in _ENDLESS else set()
        if self._plan.repeat > 1:
            self._repeats.note(key.case, record)

    def take(self, key: Key, result: CaseResult) -> bool:
        """Take a result; tell whether a reader could read the answer."""
        self.unread -= 1
        self._results.setdefault(key.case, []).append(result)
        is_unreadable = result.mismatch is not None and result.mismatch.kind == UNREADABLE
        if result.verdict is not Verdict.AC:
            self._has_failed = True
            self._read_s += max(result.read_s, _LONG_READ_S if is_unreadable else 0)
            self.timed_out |= self._costly & {key.case}
        if not key.repetition:
            self._todo.extendleft(key._replace(repetition=run) for run in range(1, self._plan.repeat))
        return not is_unreadable

    def recall(self, key: Key, judged: Judged) -> bool:
        """Take a result that was known before; not of a case that took all of its time, before it has that."""
        if judged.timed_out and self._limits(key) != self._plan.cases[key.case].case.limits:
            return False
        self._results[key.case] = [judged.result]
        self.uses[key.case] = [*judged.uses]
        self.timed_out |= {key.case} if judged.timed_out else set()
        self._has_failed = self._has_failed or judged.result.verdict is not Verdict.AC
        return True

    def draw(self) -> Key | None:
        """Take the first run that doesn't wait for another case, and drop those that are in vain."""
        while self.has_more:
            key = next((key for key in self._todo if not self._waits(key.case)), None)
            if key is not None:
                self._todo.remove(key)
                if not self._is_in_vain(key.case):
                    return key
            elif self.unread:
                return None
            else:
                self._go_on()
        return None

    def _go_on(self) -> None:
        """Let what was stopped run again, one with all of its time, or none; then turn to the next stage."""
        again = [case for case, limits in self._stopped.items() if self._has_grown(case, limits)]
        if not again and self._stopped and not self._has_ended() and not self._tried:
            by_size = sorted(self._stopped, key=self._size)
            again = [by_size[place] for place in _TRIALS if place < len(by_size)]
            self._tried.update(again)
        if not again and self._stopped and self._may_hope():
            again = [min(self._stopped, key=self._size)]
            self._granted.update(again)
        self._todo.extend(Key(self.number, case, 0) for case in again)
        for case in again:
            del self._stopped[case]
        if again:
            return
        if self._stopped:
            self._given_up |= self._stopped.keys()
            self._stopped.clear()
        elif self._stages:
            self._stage = self._stages.popleft()
            self._todo.extend(Key(self.number, case, 0) for case in self._stage)

    def _has_grown(self, case: int, before: Limits) -> bool:
        """Tell whether a case would have clearly more time now than it had."""
        now = self._limits(Key(self.number, case, 0))
        full = self._plan.cases[case].case.limits
        return any(
            new > old and (new >= _MORE * old or new == most)
            for new, old, most in (
                (now.cpu_s, before.cpu_s, full.cpu_s),
                (now.wall_s, before.wall_s, full.wall_s),
            )
        )

    def _may_hope(self) -> bool:
        """Tell whether one more case may have all of its time: never again for a program that has never ended."""
        if not self._has_ended():
            return not self.timed_out
        return len(self.timed_out.intersection(self._stage)) < self._plan.timeouts

    def _has_ended(self) -> bool:
        return not self._results.keys() <= self.timed_out

    def _size(self, case: int) -> tuple[float, int, int]:
        """Order cases by what they are likely to need."""
        asked = self._plan.cases[case].case
        return asked.limits.cpu_s, max(len(asked.raw).bit_length(), _SMALL_BITS), self._order.index(case)

    def _waits(self, case: int) -> bool:
        """Tell whether it isn't known yet that this case runs."""
        undecided = (need for need in self._needs[case] if need not in self._results)
        return any(not self._is_in_vain(need) for need in undecided) and not self._is_in_vain(case)

    def _is_in_vain(self, case: int) -> bool:
        """Tell whether a case that must be right before this one is wrong or skipped, or this one is given up."""
        results = self._results
        return case in self._given_up or any(
            results[need][0].verdict is not Verdict.AC if need in results else self._is_in_vain(need)
            for need in self._needs[case]
        )

    def in_order(self) -> dict[int, CaseResult]:
        """Return a result for every case; what wasn't run to its end is skipped, with the reason."""
        results: dict[int, CaseResult] = {}
        has_failed = False
        for case in self._order:
            runs = self._results.get(case)
            is_stopped = self._plan.stops and has_failed
            unmet = [need for need in self._needs[case] if results[need].verdict is not Verdict.AC]
            if runs and not is_stopped and not unmet:
                results[case] = runs[0]
                has_failed = has_failed or runs[0].verdict is not Verdict.AC
                continue
            if is_stopped:
                message = _FIRST_FAILURE
            elif unmet:
                message = _UNMET.format(self._plan.cases[unmet[0]].case.facts.title)
            elif case in self._given_up:
                message = self._too_long(case)
            else:
                message = _UNREAD
            results[case] = not_run(self._plan.cases[case].case.facts, Verdict.SK, message)
        return results

    def _too_long(self, case: int) -> str:
        """Say why a case was given up, by what those who may see it may see, too."""
        openness = self._openness(case)
        count = sum(self._openness(other) <= openness for other in self.timed_out)
        return _TIME_OUTS.format("another case" if count == 1 else f"{count} other cases")

    def _openness(self, case: int) -> int:
        return FIRST_SEEN.index(self._plan.cases[case].case.facts.visibility)

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


def _stages(plan: Plan, order: list[int]) -> list[list[int]]:
    """Part the order into what is settled before the rest begins: what more people may see, and what that needs."""
    openness = [FIRST_SEEN.index(plan.cases[case].case.facts.visibility) for case in reversed(order)]
    stages = [*accumulate(openness, min)][::-1]
    return [
        [case for _, case in group] for _, group in groupby(zip(stages, order, strict=True), key=lambda one: one[0])
    ]


def _is_broken(record: RunRecord) -> bool:
    """Tell whether the program breaks sandboxes: that costs as much as to run on for ever."""
    return record.raised is not None and record.raised.type == BROKEN and record.was_long


K = TypeVar("K", bound="Hashable")

Outcome = dict[str, bytes]


class Repeats(Generic[K]):
    """Compares the records of each key with the first of them; holds digests only."""

    def __init__(self) -> None:
        self._first: dict[K, Outcome] = {}
        self._differing: dict[K, set[str]] = {}

    def note(self, key: K, record: RunRecord) -> None:
        outcome = _outcome(record)
        first = self._first.setdefault(key, outcome)
        parts = {part for part, digest in outcome.items() if first[part] != digest}
        if parts:
            self._differing.setdefault(key, set()).update(parts)

    def differing(self) -> dict[K, tuple[str, ...]]:
        """Give each key whose runs disagree, and in which parts: `ending`, `exit status`, `output`, `answers`."""
        return {key: tuple(sorted(parts)) for key, parts in self._differing.items()}


def _outcome(record: RunRecord) -> Outcome:
    from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL, and few runs are repeated

    output = blake2b(digest_size=16)
    for piece in record.stdout.chunks():
        output.update(piece)
    answers = blake2b(digest_size=16)
    for reply in record.replies:
        raised = reply.raised and msgspec.structs.replace(reply.raised, traceback="")
        answers.update(wire.encode(Reply(value=reply.value, raised=raised)))
    return {
        "ending": record.ending.encode(),
        "exit status": msgspec.json.encode((record.exit_status, record.signal)),
        "output": output.digest(),
        "answers": answers.digest(),
    }


class Order(NamedTuple):
    """The numbers of the cases in the order in which they run, and for each case those that must be right before."""

    cases: list[int]
    needs: list[tuple[int, ...]]


def in_turn(cases: Sequence[Case], groups: dict[str, Group]) -> Order:
    """Order the cases.

    A group that stops at its first failure makes each of its cases wait for the one before. Cases that aren't among
    these (`--only`) are waited for by nobody.
    """
    ranked = sorted(range(len(cases)), key=lambda case: (FIRST_SEEN.index(cases[case].facts.visibility), case))
    numbers = {case.id: number for number, case in enumerate(cases)}
    needs = [tuple(numbers[name] for name in case.after if name in numbers) for case in cases]
    last: dict[str, int] = {}
    for number in ranked:
        group = cases[number].facts.group
        if group in groups and groups[group].stop:
            needs[number] += (last[group],) if group in last else ()
            last[group] = number
    order: dict[int, None] = {}
    for number in ranked:
        _place(number, needs, order)
    return Order(list(order), needs)


def _place(number: int, needs: list[tuple[int, ...]], order: dict[int, None]) -> None:
    """Put a case behind what it needs; the catalogue's loader has refused circles."""
    for need in needs[number]:
        if need not in order:
            _place(need, needs, order)
    order[number] = None
