"""Adds up one submission's results into its grade sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grader import __version__
from grader.model.assignment import PolicyCost
from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import not_run

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.assignment import Assignment, Case
    from grader.model.submission import Note, Submission


def forbids_running(findings: Iterable[Finding], assignment: Assignment) -> Finding | None:
    """Give the finding that settles every case before it is run, if there is one."""
    if assignment.policy.cost is not PolicyCost.CASE:
        return None
    return next((finding for finding in findings if finding.breach), None)


def settle_unrun(submission: Submission, cases: Iterable[Case], finding: Finding | None) -> tuple[CaseResult, ...]:
    """Give every case's result when nothing could or may be run."""
    if finding is None:
        return tuple(not_run(case, Verdict.SK, submission.problem) for case in cases)
    message = f"{finding.path}:{finding.line}:{finding.column}: {finding.message}"
    return tuple(not_run(case, Verdict.PV, message) for case in cases)


class Outcome(NamedTuple):
    """Everything found out about one submission."""

    results: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...] = ()


def add_up(submission: Submission, assignment: Assignment, *, outcome: Outcome, isolation: Isolation) -> GradeSheet:
    """Make the sheet, complete at birth."""
    results, findings, notes = outcome
    judged = [result for result in results if result.verdict is not Verdict.JE]  # JE costs nobody points
    fine = _fine(findings, assignment)
    causes = (result.mismatch.path for result in results if result.mismatch)
    pointed_at = {finding.path for finding in findings} | {*causes}
    return GradeSheet(
        submission=submission.id,
        assignment=assignment.name,
        title=assignment.title,
        points=round(max(0.0, sum(result.points for result in judged) - fine), 6),
        max_points=round(sum(result.facts.points for result in judged), 6),
        cases=results,
        fine=fine,
        hidden_outcomes=assignment.hidden_outcomes,
        findings=findings,
        notes=submission.notes + notes,
        problem=submission.problem,
        sources={f.path: f.content.decode("utf-8", "replace") for f in submission.files if f.path in pointed_at},
        isolation=isolation,
        grader=__version__,
    )


def without_words(sheet: GradeSheet, message: str) -> GradeSheet:
    """Return the sheet with verdicts and points alone: nothing of what the student wrote, printed or returned."""
    cases = (replace(case, message=message, mismatch=None, evidence=Evidence()) for case in sheet.cases)
    return replace(sheet, cases=tuple(cases), findings=(), notes=(), sources={})


def _fine(findings: tuple[Finding, ...], assignment: Assignment) -> float:
    policy = assignment.policy
    is_due = policy.cost is PolicyCost.POINTS and any(finding.breach for finding in findings)
    return policy.points if is_due else 0.0
