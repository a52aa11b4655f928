"""Takes a submission in: its files are chosen and its source is scanned, in a reader."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from grader.intake.entries import Entry
from grader.model.result import CaseResult, Finding, Mismatch, Severity
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import not_run
from grader.readers.job import Cause, Failed, Job

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, RuleCase
    from grader.model.run import File
    from grader.readers.job import Errand

_CPU_S = 10.0
"""Seconds to unpack and scan: what intake lets in is a few MiB, and an honest submission takes some 10 ms."""
_BOTH_S = 2.0
"""Seconds for both at once, as nearly all are; of what takes longer, each is done alone, to tell which it was."""
_WHY = {
    Cause.CPU: "it takes more than the grader's time",
    Cause.WALL: "it takes more than the grader's time",
    Cause.MEMORY: "it takes more than the grader's memory",
    Cause.CRASH: "it ends the program that reads it",
}


class Admitted(msgspec.Struct, frozen=True):
    """A submission, and what its source alone says."""

    submission: Submission
    findings: tuple[Finding, ...] = ()
    rules: tuple[CaseResult, ...] = ()
    """How it did on the cases that look at the source alone."""


class Admission:
    """The jobs of taking in; an entry by where it lies, or a submission that was collected before."""

    def __init__(self, assignment: Assignment, rules: tuple[RuleCase, ...] = ()) -> None:
        def collect(asked: tuple[Entry, bytes]) -> Submission:
            from grader.intake.collect import collect_entry  # noqa: PLC0415 - as the job says

            entry, path = asked
            return collect_entry(replace(entry, path=os.fsdecode(path)), assignment)

        self._collect: Job[tuple[Entry, bytes], Submission] = Job(
            collect, takes=tuple[Entry, bytes], gives=Submission, cpu_s=_CPU_S, needs=("grader.intake.collect",)
        )

        def look(submission: Submission) -> tuple[tuple[Finding, ...], tuple[CaseResult, ...]]:
            from grader.policy.scan import scan  # noqa: PLC0415 - as the job says

            findings = scan(submission.files, assignment.policy, assignment.started)
            return findings, tuple(judge_rule(rule, submission.files, assignment.started) for rule in rules)

        self._scan: Job[Submission, tuple[tuple[Finding, ...], tuple[CaseResult, ...]]] = Job(
            look,
            takes=Submission,
            gives=tuple[tuple[Finding, ...], tuple[CaseResult, ...]],
            cpu_s=_CPU_S,
            needs=("grader.policy.scan",),
        )

        def take_in(asked: tuple[Entry, bytes]) -> Admitted:
            submission = collect(asked)
            return Admitted(submission, *look(submission))

        self._take_in: Job[tuple[Entry, bytes], Admitted] = Job(
            take_in,
            takes=tuple[Entry, bytes],
            gives=Admitted,
            cpu_s=_BOTH_S,
            needs=("grader.intake.collect", "grader.policy.scan"),
        )
        self._rules = rules
        self.jobs: tuple[Job[Any, Any], ...] = (self._take_in, self._collect, self._scan)

    def collect(self, entry: Entry) -> Errand[Submission]:
        """Collect an entry's files; what can't be read within bounds is the submission's problem."""
        submission = yield self._collect, _packed(entry)
        if isinstance(submission, Failed):
            problem = f"{entry.name} can't be unpacked: {_WHY.get(submission.cause, submission.detail)}"
            return Submission(id=entry.id, files=(), problem=problem, origin=entry.name)
        collected: Submission = submission
        return collected

    def admit(self, given: Entry | Submission) -> Errand[Admitted]:
        """Collect and scan; what can't be read within bounds is the submission's problem."""
        if isinstance(given, Entry):
            admitted = yield self._take_in, _packed(given)
            if not isinstance(admitted, Failed):
                return self._settled(admitted)
        submission = (yield from self.collect(given)) if isinstance(given, Entry) else given
        looked = yield self._scan, submission
        if not isinstance(looked, Failed):
            return self._settled(Admitted(submission, *looked))
        if looked.cause is Cause.RAISED:
            unscanned = _unscanned(submission, looked.detail)
            return Admitted(submission, (unscanned,), self._unjudged(Verdict.JE, unscanned.message))
        problem = submission.problem or f"the source can't be read: {_WHY[looked.cause]}"
        return Admitted(replace(submission, problem=problem), rules=self._unjudged(Verdict.SK, problem))

    def _settled(self, admitted: Admitted) -> Admitted:
        """Leave cases that look at the source unjudged where the submission has a problem."""
        problem = admitted.submission.problem
        return replace(admitted, rules=self._unjudged(Verdict.SK, problem)) if problem else admitted

    def _unjudged(self, verdict: Verdict, message: str) -> tuple[CaseResult, ...]:
        return tuple(not_run(rule.facts, verdict, message) for rule in self._rules)


def _packed(entry: Entry) -> tuple[Entry, bytes]:
    """Keep the path apart: it may hold bytes that are no text."""
    return replace(entry, path=""), os.fsencode(entry.path)


def judge_rule(rule: RuleCase, files: tuple[File, ...], runs: tuple[str, ...]) -> CaseResult:
    """Judge a case that looks at the source: the first thing that is found makes it wrong."""
    from grader.policy.scan import scan  # noqa: PLC0415 - the grader itself never scans

    found = next((f for f in scan(files, rule.policy, runs) if f.severity is Severity.CERTAIN), None)
    if found is None:
        return CaseResult(facts=rule.facts, verdict=Verdict.AC, points=rule.facts.points)
    message = f"{found.path}:{found.line}:{found.column}: {found.message}"
    mismatch = Mismatch(
        kind=found.rule,
        message=message,
        where=f"line {found.line} of {found.path}",
        path=found.path,
        line=found.line,
        source=found.source,
    )
    return CaseResult(facts=rule.facts, verdict=Verdict.PV, points=0.0, message=message, mismatch=mismatch)


def _unscanned(submission: Submission, detail: str) -> Finding:
    """Tell staff that the scan failed, by our fault: what the source holds is for them to see."""
    path = submission.files[0].path if submission.files else ""
    message = f"the scan itself failed, so read this submission's source by hand; {detail.rstrip()}"
    return Finding(rule="scan-failed", path=path, line=1, column=1, message=message, severity=Severity.REVIEW)
