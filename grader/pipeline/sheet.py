"""Adds up one submission's results into its grade sheet, and names the mistake that explains all of its answers.

    failed cases ─▶ mistakes that explain each ─▶ common to all ─▶ right on the passed cases, too ─▶ named in each

A case's words never depend on cases that are shown to fewer people than itself: a visible message tells nothing of
hidden outcomes, and `grader check`, which runs the visible cases, says what `grader grade` says.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grader import __version__
from grader.log import log
from grader.model.assignment import GroupScore, PolicyCost
from grader.model.kit import Suspecting, WithheldError
from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.grade_case import not_run
from grader.pipeline.speed import slow_notes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.model.assignment import Assignment, Case, Group
    from grader.model.result import Accusation, Suspicion
    from grader.model.submission import Note, Submission
    from grader.pipeline.prepare import Prepared


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


_ENOUGH = 2
"""Weight that the failed cases need together."""
_OPENNESS = (Visibility.VISIBLE, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED, Visibility.HIDDEN)


class Accuser:
    """Hears all cases of one submission after the other; what a mistake does on a case is found out once."""

    def __init__(self, cases: Sequence[Prepared]) -> None:
        self._cases = cases
        self._would_pass = cache(self._ask)

    def name_mistakes(self, results: Sequence[CaseResult]) -> tuple[CaseResult, ...]:
        """Return the results with the mistake named in each that it explains; `results` are one per case."""
        if not any(_suspicion(result) for result in results):
            return tuple(results)
        accused = {openness: self._accused(results, openness) for openness in _OPENNESS}
        return tuple(
            _named(result, self._accusation(number, accused[result.facts.visibility]))
            for number, result in enumerate(results)
        )

    def _accused(self, results: Sequence[CaseResult], openness: Visibility) -> tuple[str, ...]:
        """Return the mistakes that explain every case which is at least as open as this."""
        shown = _OPENNESS[: _OPENNESS.index(openness) + 1]
        heard = [(number, result) for number, result in enumerate(results) if result.facts.visibility in shown]
        suspicions = [suspicion for _, result in heard if (suspicion := _suspicion(result))]
        if sum(suspicion.weight for suspicion in suspicions) < _ENOUGH:
            return ()
        common = [
            name for name in suspicions[0].names if all(name in suspicion.names for suspicion in suspicions[1:])
        ]
        passed = [number for number, result in heard if result.verdict is Verdict.AC]
        return tuple(name for name in common if all(self._would_pass(number, name) for number in passed))

    def _ask(self, number: int, suspect: str) -> bool:
        kit, puzzle = self._cases[number].kit, self._cases[number].puzzle
        try:
            return not isinstance(kit, Suspecting) or kit.would_pass(puzzle, suspect)
        except WithheldError:
            return False  # what can't be proved here isn't told
        except Exception:  # noqa: BLE001 - a kit's guess must not cost a sheet
            log().exception("%s: whether %r passes is unknown", self._cases[number].case.id, suspect)
            return False

    def _accusation(self, number: int, names: tuple[str, ...]) -> Accusation | None:
        kit = self._cases[number].kit
        return kit.accuse(names) if names and isinstance(kit, Suspecting) else None


def _suspicion(result: CaseResult) -> Suspicion | None:
    return result.mismatch.suspicion if result.mismatch else None


def _named(result: CaseResult, accusation: Accusation | None) -> CaseResult:
    mismatch = result.mismatch
    if mismatch is None or mismatch.suspicion is None:
        return result
    plain = replace(mismatch, suspicion=None)
    if accusation is None:
        return replace(result, mismatch=plain)
    kind, message = accusation.kind or mismatch.kind, f"{_sentence(mismatch.message)} {accusation.words}"
    told = replace(plain, kind=kind, message=message, names_cause=True, cause=accusation.words)
    return replace(result, message=message, mismatch=told)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
