"""Decides what a reader may see: the only place that does.

A closed case shows its title and its points. Its id, verdict, words, input, output, hint, tags, time and memory stay
with the staff; so do findings for review and the details of the wall. All text in a view is clean.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation, Mismatch, Severity
from grader.model.scene import Scene
from grader.model.submission import Note
from grader.model.verdict import Audience, Verdict, Visibility
from grader.report.clean import clean, clean_line
from grader.report.stream import excerpt, lines_before
from grader.report.trace import one_telling, own_code

MESSAGE_LIMIT = 4_000
_SOURCE_LIMIT = 200_000

_STAFF_NOTES = frozenset({"not-deterministic"})
"""Notes that name cases and their verdicts, hidden ones too."""
_CLOSED = {
    Audience.STUDENT: {Visibility.HIDDEN, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED},
    Audience.STUDENT_AFTER_DUE: {Visibility.HIDDEN, Visibility.AFTER_PUBLISHED},
    Audience.STAFF: set[Visibility](),
}


class Outcome(StrEnum):
    """What anyone may know of a case: it follows from its points."""

    PASSED = "passed"
    PARTLY = "partly"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What a run used."""

    cpu_s: float
    wall_s: float
    peak_mib: float

    @property
    def has_run(self) -> bool:
        """Tell a run from a case that was settled without one."""
        return bool(self.wall_s or self.cpu_s or self.peak_mib)


class Exhibit(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence of one case as clean, bounded text."""

    input: str = ""
    stdout: str = ""
    stderr: str = ""
    traceback: str = ""
    before: tuple[str, ...] = ()
    """Lines of the output just before the text of the mismatch."""
    scene: Scene | None = None


_NO_EVIDENCE, _NO_EXHIBIT = Evidence(), Exhibit()


class CaseView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    """From 1, in the catalogue's order."""
    id: str
    title: str
    outcome: Outcome
    points: float
    max_points: float
    visibility: Visibility
    is_open: bool
    verdict: Verdict | None = None
    message: str = ""
    mismatch: Mismatch | None = None
    hint: str = ""
    tags: tuple[str, ...] = ()
    measured: Measured | None = None
    exhibit: Exhibit = Exhibit()


class SheetView(msgspec.Struct, frozen=True, kw_only=True):
    """One grade sheet as one audience may see it."""

    submission: str
    assignment: str
    title: str
    audience: Audience
    points: float
    max_points: float
    is_final: bool
    standing: str
    """One sentence: whether the total is final, and why not."""
    cases: tuple[CaseView, ...]
    findings: tuple[Finding, ...] = ()
    sources: dict[str, str] = {}
    notes: tuple[Note, ...] = ()
    problem: str = ""
    level: str
    isolation: Isolation | None = None
    grader: str


def view(sheet: GradeSheet, audience: Audience, *, published: bool = False) -> SheetView:
    """Show the sheet to one audience; `published` opens the cases that wait for it."""
    closed = _CLOSED[audience] - ({Visibility.AFTER_PUBLISHED} if published else set())
    cases = tuple(
        _closed_case(case, number) if case.visibility in closed else _open_case(_ours(case, audience), number)
        for number, case in enumerate(sheet.cases, 1)
    )
    staff = audience is Audience.STAFF
    findings = tuple(_finding(found) for found in sheet.findings if staff or found.severity is Severity.CERTAIN)
    standing = _standing(cases, audience)
    shown = {finding.path for finding in findings}
    return SheetView(
        submission=clean_line(sheet.submission),
        assignment=clean_line(sheet.assignment),
        title=clean_line(sheet.title),
        audience=audience,
        points=sheet.points,
        max_points=sheet.max_points,
        is_final=not standing,
        standing=standing or "This total is final.",
        cases=cases,
        findings=findings,
        sources={
            path: clean(text, _SOURCE_LIMIT)
            for path, text in ((clean_line(path), text) for path, text in sheet.sources.items())
            if path in shown
        },
        notes=tuple(_note(note) for note in sheet.notes if staff or note.kind not in _STAFF_NOTES),
        problem=clean(sheet.problem, MESSAGE_LIMIT),
        level=clean_line(sheet.isolation.level),
        isolation=sheet.isolation if staff else None,
        grader=clean_line(sheet.grader),
    )


def _standing(cases: tuple[CaseView, ...], audience: Audience) -> str:
    errors = sum(case.outcome is Outcome.ERROR for case in cases)
    skipped = sum(case.outcome is Outcome.SKIPPED for case in cases)
    waiting = any(not case.is_open and case.visibility is Visibility.AFTER_PUBLISHED for case in cases)
    if errors:
        return f"Not final: {_cases(errors)} could not be judged through no fault of yours, and will be judged again."
    if audience is Audience.STUDENT:
        unknown = f" {_cases(skipped)} were not run here." if skipped > 1 else " One case was not run here." * skipped
        return f"Not final: it can change until the due date.{unknown}"
    if waiting:
        return "Not final until the results are published."
    return ""


def _cases(count: int) -> str:
    return "one case" if count == 1 else f"{count} cases"


def _outcome(case: CaseResult) -> Outcome:
    special = {Verdict.AC: Outcome.PASSED, Verdict.SK: Outcome.SKIPPED, Verdict.JE: Outcome.ERROR}
    return special.get(case.verdict, Outcome.PARTLY if case.points > 0 else Outcome.FAILED)


def _closed_case(case: CaseResult, number: int) -> CaseView:
    return CaseView(
        number=number,
        id=f"case-{number}",
        title=clean_line(case.title),
        outcome=_outcome(case),
        points=case.points,
        max_points=case.max_points,
        visibility=case.visibility,
        is_open=False,
        message="This case is hidden: only its points are shown.",
    )


def _open_case(case: CaseResult, number: int) -> CaseView:
    mismatch = case.mismatch and _mismatch(case.mismatch)
    message = clean(case.message, MESSAGE_LIMIT) or (mismatch.message if mismatch else "")
    if not message and case.verdict is not Verdict.AC:
        message = f"{case.verdict.meaning.capitalize()}."
    return CaseView(
        number=number,
        id=clean_line(case.id),
        title=clean_line(case.title),
        outcome=_outcome(case),
        points=case.points,
        max_points=case.max_points,
        visibility=case.visibility,
        is_open=True,
        verdict=case.verdict,
        message=message,
        mismatch=mismatch,
        hint=clean(case.hint, MESSAGE_LIMIT),
        tags=tuple(clean_line(tag) for tag in case.tags),
        measured=Measured(cpu_s=case.cpu_s, wall_s=case.wall_s, peak_mib=case.peak_mib),
        exhibit=_exhibit(case.evidence, case.mismatch),
    )


def _ours(case: CaseResult, audience: Audience) -> CaseResult:
    """Keep our own breakdown to the staff: its traceback may hold what the judge knows."""
    if case.verdict is not Verdict.JE or audience is Audience.STAFF:
        return case
    return msgspec.structs.replace(case, mismatch=None, evidence=Evidence())


def _mismatch(mismatch: Mismatch) -> Mismatch:
    return msgspec.structs.replace(
        mismatch,
        kind=clean_line(mismatch.kind),
        message=clean(mismatch.message, MESSAGE_LIMIT),
        where=clean_line(mismatch.where),
        expected=clean(mismatch.expected),
        found=clean(mismatch.found),
        expected_text=clean(mismatch.expected_text),
        found_text=clean(mismatch.found_text),
    )


def _exhibit(evidence: Evidence, mismatch: Mismatch | None) -> Exhibit:
    if evidence == _NO_EVIDENCE:
        return _NO_EXHIBIT
    traceback, stderr = one_telling(own_code(clean(evidence.traceback)), own_code(excerpt(evidence.stderr)))
    return Exhibit(
        input=clean(evidence.input),
        stdout=excerpt(evidence.stdout),
        stderr=stderr,
        traceback=traceback,
        before=lines_before(evidence.stdout, mismatch.found_text or mismatch.found) if mismatch else (),
        scene=evidence.scene,
    )


def _finding(finding: Finding) -> Finding:
    return msgspec.structs.replace(
        finding,
        rule=clean_line(finding.rule),
        path=clean_line(finding.path),
        message=clean(finding.message, MESSAGE_LIMIT),
        source=clean_line(finding.source),
        why=clean(finding.why, MESSAGE_LIMIT),
        instead=clean(finding.instead, MESSAGE_LIMIT),
    )


def _note(note: Note) -> Note:
    return msgspec.structs.replace(
        note, kind=clean_line(note.kind), message=clean(note.message, MESSAGE_LIMIT), path=clean_line(note.path)
    )
