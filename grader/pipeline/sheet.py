"""Adds up one submission's results into its grade sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grader import __version__
from grader.model.assignment import GroupScore, PolicyCost
from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation
from grader.model.verdict import Verdict
from grader.pipeline.grade_case import not_run
from grader.pipeline.speed import slow_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment, Case, Group
    from grader.model.submission import Note, Submission


_MOST_SOURCE = 1 << 20
"""Bytes of Python that one sheet keeps."""


def forbids_running(findings: Iterable[Finding], assignment: Assignment) -> Finding | None:
    """Give the finding that settles every case before it is run, if there is one."""
    if assignment.policy.cost is not PolicyCost.CASE:
        return None
    return next((finding for finding in findings if finding.breach), None)


def settle_unrun(submission: Submission, cases: Iterable[Case], finding: Finding | None) -> tuple[CaseResult, ...]:
    """Give every case's result when nothing could or may be run."""
    if finding is None:
        return tuple(not_run(case.facts, Verdict.SK, submission.problem) for case in cases)
    message = f"{finding.path}:{finding.line}:{finding.column}: {finding.message}"
    return tuple(not_run(case.facts, Verdict.PV, message) for case in cases)


class Outcome(NamedTuple):
    """Everything found out about one submission."""

    results: tuple[CaseResult, ...]
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...] = ()


def add_up(submission: Submission, assignment: Assignment, *, outcome: Outcome, isolation: Isolation) -> GradeSheet:
    """Make the sheet, complete at birth."""
    results, findings, notes = scored(outcome.results, assignment.groups), outcome.findings, outcome.notes
    judged = [result for result in results if result.verdict is not Verdict.JE]  # JE costs nobody points
    fine = _fine(findings, assignment)
    return GradeSheet(
        submission=submission.id,
        assignment=assignment.name,
        title=assignment.title,
        points=round(max(0.0, sum(result.points for result in judged) - fine), 6),
        max_points=round(sum(result.facts.worth for result in judged), 6),
        cases=results,
        fine=fine,
        hidden_outcomes=assignment.hidden_outcomes,
        feedback=assignment.feedback,
        findings=findings,
        notes=submission.notes + notes + slow_notes(),
        problem=submission.problem,
        sources=dict(_sources(submission)),
        isolation=isolation,
        grader=__version__,
    )


def _sources(submission: Submission) -> Iterator[tuple[str, str]]:
    """Yield the Python files that reports quote: which ones never depends on what a run did."""
    left = _MOST_SOURCE
    for file in submission.files:
        if file.path.endswith(".py") and len(file.content) <= left:
            left -= len(file.content)
            yield file.path, file.content.decode("utf-8", "replace")


def scored(results: tuple[CaseResult, ...], groups: dict[str, Group]) -> tuple[CaseResult, ...]:
    """Score the groups: no case of one has a larger share of its points than the group allows; JE counts for none."""
    shares = {name: _share(name, group, results) for name, group in groups.items()}
    return tuple(_at_most(result, shares.get(result.facts.group, 1.0)) for result in results)


def _share(name: str, group: Group, results: tuple[CaseResult, ...]) -> float:
    members = [one for one in results if one.facts.group == name and one.verdict is not Verdict.JE]
    match group.score:
        case GroupScore.SUM:
            return 1.0
        case GroupScore.ALL:
            return float(all(one.verdict is Verdict.AC for one in members))
        case GroupScore.MIN:
            return min((one.points / one.facts.points for one in members if one.facts.points), default=1.0)


def _at_most(result: CaseResult, share: float) -> CaseResult:
    points = round(result.facts.points * share, 6)
    if result.points <= points:
        return result
    counts = "counts only when all of it is right" if not share else "counts as much as its weakest case"
    message = f"{result.message} The group {result.facts.group} {counts}.".lstrip()
    return replace(result, points=points, message=message)


def without_words(sheet: GradeSheet, message: str) -> GradeSheet:
    """Return the sheet with verdicts and points alone: nothing of what the student wrote, printed or returned."""
    cases = (replace(case, message=message, mismatch=None, evidence=Evidence()) for case in sheet.cases)
    return replace(sheet, cases=tuple(cases), findings=(), notes=(), sources={})


def _fine(findings: tuple[Finding, ...], assignment: Assignment) -> float:
    policy = assignment.policy
    is_due = policy.cost is PolicyCost.POINTS and any(finding.breach for finding in findings)
    return policy.points if is_due else 0.0
