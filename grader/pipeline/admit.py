"""Takes a submission in: its files are chosen and its source is scanned, in a reader."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from grader.intake.collect import collect_entry
from grader.intake.entries import Entry
from grader.model.result import Finding, Severity
from grader.model.submission import Submission
from grader.policy.scan import scan
from grader.readers.job import Cause, Failed, Job

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.readers.job import Errand

_CPU_S = 10.0
"""Seconds to unpack and scan: what intake lets in is a few MiB, and an honest submission takes some 10 ms."""
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


class Admission:
    """The jobs of taking in; an entry by where it lies, or a submission that was collected before."""

    def __init__(self, assignment: Assignment) -> None:
        def collect(asked: tuple[Entry, bytes]) -> Submission:
            entry, path = asked
            return collect_entry(replace(entry, path=os.fsdecode(path)), assignment)

        self._collect: Job[tuple[Entry, bytes], Submission] = Job(
            collect, takes=tuple[Entry, bytes], gives=Submission, cpu_s=_CPU_S
        )
        self._scan: Job[Submission, tuple[Finding, ...]] = Job(
            lambda submission: scan(submission.files, assignment.policy, assignment.started),
            takes=Submission,
            gives=tuple[Finding, ...],
            cpu_s=_CPU_S,
        )
        self.jobs: tuple[Job[Any, Any], ...] = (self._collect, self._scan)

    def admit(self, given: Entry | Submission) -> Errand[Admitted]:
        """Collect and scan; what can't be read within bounds is the submission's problem."""
        if isinstance(given, Entry):
            submission = yield self._collect, (replace(given, path=""), os.fsencode(given.path))
            if isinstance(submission, Failed):
                problem = f"{given.name} can't be unpacked: {_WHY.get(submission.cause, submission.detail)}"
                return Admitted(Submission(id=given.id, files=(), problem=problem, origin=given.name))
        else:
            submission = given
        findings = yield self._scan, submission
        if not isinstance(findings, Failed):
            return Admitted(submission, findings)
        if findings.cause is Cause.RAISED:
            return Admitted(submission, (_unscanned(submission, findings.detail),))
        problem = f"the source can't be read: {_WHY[findings.cause]}"
        return Admitted(replace(submission, problem=submission.problem or problem))


def _unscanned(submission: Submission, detail: str) -> Finding:
    """Tell staff that the scan failed, by our fault: what the source holds is for them to see."""
    path = submission.files[0].path if submission.files else ""
    message = f"the scan itself failed, so read this submission's source by hand; {detail.rstrip()}"
    return Finding(rule="scan-failed", path=path, line=1, column=1, message=message, severity=Severity.REVIEW)
