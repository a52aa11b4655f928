"""Decides what a reader may see: the only place that does.

A sheet becomes a view for staff: all of it, as clean and bounded text. `redact` makes a student's view of that. A
closed case keeps its title and its worth, and its points only where the assignment tells hidden outcomes. What it
printed, raised, returned, took or named stays with the staff in any form, as do findings for review and details of
the isolation. A program chooses every number of its run, so of what only closed cases showed no number leaves either:
two programs that differ on closed cases only, with the same outcomes as far as they are told, have equal views. Where
outcomes aren't told no time is shown, since even the same program differs in it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from grader.model.assignment import CaseFacts, Feedback
from grader.model.result import (
    CaseResult,
    Evidence,
    Finding,
    GradeSheet,
    Isolation,
    Mismatch,
    PrintedFrame,
    Remark,
    Severity,
)
from grader.model.scene import Scene
from grader.model.submission import Note, cell_of
from grader.model.verdict import FIRST_SEEN, Audience, HiddenOutcomes, Verdict, Visibility
from grader.model.words import plural
from grader.report.clean import MESSAGE_LIMIT, amount, clean, clean_line, clean_struct, excerpt, lines_before
from grader.report.layout import folder_name
from grader.report.since import Since
from grader.tracebacks import one_telling, own_code

_REMARK_LIMIT = 600
"""Letters of a finding's or a note's sentence; there may be many of them."""
MOST_LISTED = 200
"""Findings, and notes, of one submission: nobody reads more."""
_SOURCE_LIMIT = 200_000

_SEEN_HIDDEN = Finding(
    rule="banned-use",
    path="",
    line=0,
    column=0,
    message="While it ran a hidden case, the program used something that this assignment bans.",
)
"""All that a student learns of findings that only closed cases showed, however many there are."""
_STAFF_NOTES = frozenset({"not-deterministic", "left-out"})
"""Notes that name or count what came of hidden cases, too."""
_CLOSED = {
    Audience.STUDENT: {Visibility.HIDDEN, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED},
    Audience.STUDENT_AFTER_DUE: {Visibility.HIDDEN, Visibility.AFTER_PUBLISHED},
}
_HINTED = frozenset({Verdict.WA, Verdict.TLE, Verdict.MLE, Verdict.OLE})
"""Verdicts that a case's hint may help with; a crash has a reason of its own, and a line."""
_UNTOLD = {
    HiddenOutcomes.AFTER_DUE: "is told after the due date",
    HiddenOutcomes.NEVER: "is not told",
}


class Outcome(StrEnum):
    """What came of a case, as far as the reader may know: it follows from the points."""

    PASSED = "passed"
    PARTLY = "partly"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"
    UNTOLD = "untold"


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
_WITHHELD_EVIDENCE: dict[str, dict[str, Any]] = {
    "diff": {"scene": None},
    "input": {"scene": None, "input": ""},
    "output": {"stdout": "", "stderr": "", "traceback": "", "before": ()},
}
"""Part of the feedback → what is empty where it is kept back."""


class CaseView(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    """From 1, in the catalogue's order."""
    facts: CaseFacts
    outcome: Outcome
    points: float | None
    """None where they aren't told, and where nobody could judge: such a case is in no sum."""
    is_open: bool = True
    verdict: Verdict | None = None
    message: str = ""
    mismatch: Mismatch | None = None
    measured: Measured | None = None
    exhibit: Exhibit = Exhibit()

    @property
    def is_wrong(self) -> bool:
        """It has something to explain to this reader."""
        return self.is_open and self.outcome in {Outcome.FAILED, Outcome.PARTLY, Outcome.ERROR}


class SheetView(msgspec.Struct, frozen=True, kw_only=True):
    """One grade sheet as one audience may see it."""

    submission: str
    folder: str
    """Name of its own folder below the run's."""
    assignment: str
    title: str
    audience: Audience
    points: float
    """Of the cases that were judged and are told, less the fine."""
    max_points: float
    fine: float
    hidden_outcomes: HiddenOutcomes
    feedback: Feedback = Feedback()
    is_final: bool
    standing: str
    """One sentence: whether the total is final, and why not."""
    cases: tuple[CaseView, ...]
    findings: tuple[Finding, ...] = ()
    sources: dict[str, str] = {}
    notes: tuple[Note, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What people judge, beside the cases; `points` and `max_points` are the machine's alone."""
    problem: str = ""
    level: str
    isolation: Isolation | None = None
    grader: str
    beside: tuple[str, str] | None = None
    """Folders of the submissions before and after it, empty at the ends; None where there is no class page."""
    since: Since | None = None
    """What changed since the attempt before."""

    @property
    def unjudged(self) -> int:
        """How many cases could not be judged through our own fault."""
        return sum(case.outcome is Outcome.ERROR for case in self.cases)

    @property
    def people_points(self) -> float:
        """What people gave and took, all in all."""
        return round(sum(remark.points or 0.0 for remark in self.remarks), 6)

    @property
    def total_points(self) -> float:
        """The machine's points and the people's, before what lateness costs; never less than nothing."""
        return round(max(0.0, self.points + self.people_points), 6) if self.remarks else self.points

    @property
    def total_max_points(self) -> float:
        return round(self.max_points + sum(max(0.0, remark.max_points) for remark in self.remarks), 6)

    @property
    def has_passed(self) -> bool:
        """Every case whose outcome the reader may know is right."""
        told = [case.outcome for case in self.cases if case.outcome is not Outcome.UNTOLD]
        return not self.problem and bool(told) and all(outcome is Outcome.PASSED for outcome in told)


def view(sheet: GradeSheet, audience: Audience, *, published: bool = False) -> SheetView:
    """Show the sheet to one audience; `published` opens the cases that wait for it."""
    if audience is Audience.STAFF:
        return _whole(sheet)
    shut = _shut(audience, published=published)
    cases = tuple(_without_words(case) if case.facts.visibility in shut else case for case in sheet.cases)
    return redact(_whole(msgspec.structs.replace(sheet, cases=cases)), audience, published=published)


def _shut(audience: Audience, *, published: bool) -> set[Visibility]:
    return _CLOSED[audience] - ({Visibility.AFTER_PUBLISHED} if published else set())


def _without_words(case: CaseResult) -> CaseResult:
    """Leave out what no student sees, before anything is made of it: what can't be read mustn't cost a page."""
    return msgspec.structs.replace(case, message="", mismatch=None, evidence=_NO_EVIDENCE)


def redact(whole: SheetView, audience: Audience, *, published: bool = False) -> SheetView:
    """Make a student's view of the staff's."""
    shut = _shut(audience, published=published)
    closed = {case.facts.id for case in whole.cases if case.facts.visibility in shut}
    untold = whole.feedback.untold(audience)
    hides = bool(closed) and not whole.hidden_outcomes.are_told(audience)
    cases = tuple(
        _closed_case(case, whole.hidden_outcomes if hides else None)
        if case.facts.id in closed
        else told_of(_student_case(case, timed=not hides), untold)
        for case in whole.cases
    )
    findings = _student_findings(whole, closed, hides=hides)
    fine = whole.fine if any(finding.breach for finding in findings) else 0.0
    standing = _standing(cases, audience, whole)
    shown = _pointed_at(findings, cases)
    points, max_points = _totals(cases, fine) if hides or "points" in untold else (whole.points, whole.max_points)
    return msgspec.structs.replace(
        whole,
        audience=audience,
        points=points,
        max_points=max_points,
        fine=fine,
        is_final=not standing,
        standing=standing or "This total is final.",
        cases=cases,
        findings=findings,
        sources={path: text for path, text in whole.sources.items() if path in shown},
        notes=tuple(note for note in whole.notes if note.kind not in _STAFF_NOTES),
        remarks=_student_remarks(whole, closed),
        isolation=None,
    )


def bare(shown: SheetView) -> SheetView:
    """Leave out the evidence: what a class keeps of one submission, small enough to send."""
    cases = tuple(
        msgspec.structs.replace(
            case,
            exhibit=_NO_EXHIBIT,
            mismatch=case.mismatch
            and Mismatch(
                kind=case.mismatch.kind, message="", cause=case.mismatch.cause, where=case.mismatch.where, step=None
            ),
        )
        for case in shown.cases
    )
    return msgspec.structs.replace(shown, cases=cases, sources={}, since=None)


def outline(result: CaseResult, number: int) -> CaseView:
    """Show how a case went without a word of the student's: what can be told while others still run."""
    return CaseView(
        number=number,
        facts=_facts(result),
        outcome=_outcome(result),
        points=None if result.verdict is Verdict.JE else amount(result.points),
        verdict=result.verdict,
    )


def _totals(cases: tuple[CaseView, ...], fine: float) -> tuple[float, float]:
    counted = [case for case in cases if case.points is not None]
    points = sum(case.points or 0.0 for case in counted) - fine
    return round(max(0.0, points), 6), round(sum(case.facts.worth for case in counted), 6)


def _student_findings(whole: SheetView, closed: set[str], *, hides: bool) -> tuple[Finding, ...]:
    """Leave out what is for review; of all that only closed cases showed tell one sentence, or nothing."""
    certain = [finding for finding in whole.findings if finding.severity is Severity.CERTAIN]
    cases = [tuple(name for name in finding.cases if name not in closed) for finding in certain]
    told = [
        msgspec.structs.replace(finding, cases=seen)
        for finding, seen in zip(certain, cases, strict=True)
        if seen or not finding.cases
    ]
    return tuple(told) if hides or len(told) == len(certain) else (*told, _SEEN_HIDDEN)


def _student_remarks(whole: SheetView, closed: set[str]) -> tuple[Remark, ...]:
    """Leave out who judged, and the name of a case that stays closed: its title is in the remark's own."""
    return tuple(
        msgspec.structs.replace(remark, by="", case="" if remark.case in closed else remark.case)
        for remark in whole.remarks
    )


def _standing(cases: tuple[CaseView, ...], audience: Audience, whole: SheetView | GradeSheet) -> str:
    tally = {outcome: sum(case.outcome is outcome for case in cases) for outcome in Outcome}
    waiting = any(not case.is_open and case.facts.visibility is Visibility.AFTER_PUBLISHED for case in cases)
    words = []
    closed = sum(case.outcome is Outcome.UNTOLD and not case.is_open for case in cases)
    if tally[Outcome.UNTOLD] > closed:
        words.append(f"how {plural(tally[Outcome.UNTOLD] - closed, 'case')} went isn't told here.")
    if closed:
        hidden = plural(closed, "hidden case")
        words.append(f"{hidden} will count as well; their outcome {_UNTOLD[whole.hidden_outcomes]}.")
    if tally[Outcome.ERROR]:
        words.append(f"{plural(tally[Outcome.ERROR], 'case')} could not be judged through no fault of yours.")
    if audience is Audience.STUDENT and not words:
        skipped = f" {plural(tally[Outcome.SKIPPED], 'case')} not run here." if tally[Outcome.SKIPPED] else ""
        words.append(f"it can change until the due date.{skipped}")
    if waiting and not words:
        words.append("the results are not published yet.")
    if not words and whole.isolation is not None and not whole.isolation.is_wall:
        words.append("no wall kept the program from the course's files, so the staff has to look at it.")
    return f"Not final: {' '.join(words)}" if words else ""


def _closed_case(case: CaseView, untold: HiddenOutcomes | None) -> CaseView:
    facts = case.facts
    kept = msgspec.structs.replace(facts, id=f"case-{case.number}", hint="", tags=(), group="")
    if untold:
        message = f"This case is hidden: it counts, and how it went {_UNTOLD[untold]}."
        return CaseView(
            number=case.number, facts=kept, outcome=Outcome.UNTOLD, points=None, is_open=False, message=message
        )
    message = "This case is hidden: only its points are shown."
    return CaseView(
        number=case.number, facts=kept, outcome=case.outcome, points=case.points, is_open=False, message=message
    )


def told_of(case: CaseView, untold: frozenset[str]) -> CaseView:
    """Leave out of a case that a student may see what the assignment's `feedback` keeps back."""
    if not untold:
        return case
    exhibit = {name: empty for part in untold for name, empty in _WITHHELD_EVIDENCE.get(part, {}).items()}
    mismatch, facts, message = case.mismatch, case.facts, case.message
    if "message" in untold:
        mismatch, facts = None, msgspec.structs.replace(facts, hint="")
        message = "" if "verdict" in untold or case.verdict is None else f"{case.verdict.meaning.capitalize()}."
    if "diff" in untold and mismatch:
        mismatch = msgspec.structs.replace(
            mismatch, expected="", found="", expected_text="", found_text="", printed=None
        )
    return msgspec.structs.replace(
        case,
        facts=facts,
        message=message,
        mismatch=mismatch,
        verdict=None if "verdict" in untold else case.verdict,
        outcome=Outcome.UNTOLD if {"verdict", "points"} <= untold else case.outcome,
        points=None if "points" in untold else case.points,
        measured=None if "time" in untold else case.measured,
        exhibit=msgspec.structs.replace(case.exhibit, **exhibit),
    )


def _student_case(case: CaseView, *, timed: bool) -> CaseView:
    """Keep our own breakdown to the staff: its traceback may hold what the judge knows."""
    measured = case.measured if timed else None
    if case.verdict is not Verdict.JE:
        return msgspec.structs.replace(case, measured=measured)
    message = "The grader itself failed on this case; it counts neither for nor against you."
    return msgspec.structs.replace(case, message=message, mismatch=None, exhibit=_NO_EXHIBIT, measured=measured)


def _whole(sheet: GradeSheet) -> SheetView:
    """Show everything, clean and bounded: the staff's view."""
    cases = tuple(_case(case, number, sheet.sources) for number, case in enumerate(sheet.cases, 1))
    findings = _findings(sheet)
    standing = _standing(cases, Audience.STAFF, sheet)
    shown = _pointed_at(findings, cases)
    sources = ((clean_line(path), text) for path, text in sheet.sources.items())
    return SheetView(
        submission=clean_line(sheet.submission),
        folder=folder_name(sheet.submission),
        assignment=clean_line(sheet.assignment),
        title=clean_line(sheet.title),
        audience=Audience.STAFF,
        points=amount(sheet.points),
        max_points=amount(sheet.max_points),
        fine=amount(sheet.fine),
        hidden_outcomes=sheet.hidden_outcomes,
        feedback=sheet.feedback,
        is_final=not standing,
        standing=standing or "This total is final.",
        cases=cases,
        findings=findings,
        sources={path: clean(text, _SOURCE_LIMIT) for path, text in sources if path in shown},
        notes=_notes(sheet),
        remarks=tuple(clean_struct(remark) for remark in sheet.remarks[:MOST_LISTED]),
        problem=clean(sheet.problem, MESSAGE_LIMIT),
        level=clean_line(sheet.isolation.level),
        isolation=sheet.isolation,
        grader=clean_line(sheet.grader),
    )


def _pointed_at(findings: tuple[Finding, ...], cases: tuple[CaseView, ...]) -> set[str]:
    causes = (case.mismatch.path for case in cases if case.mismatch)
    return {finding.path for finding in findings} | {*causes}


def _case(case: CaseResult, number: int, sources: dict[str, str]) -> CaseView:
    mismatch = _mismatch(case.mismatch) if case.mismatch else None
    message = clean(case.message, MESSAGE_LIMIT) or (mismatch.message if mismatch else "")
    cell = cell_of(sources.get(case.mismatch.path, ""), case.mismatch.line) if case.mismatch else ""
    message = f"{cell}: {message}" if cell else message
    if not message and case.verdict is not Verdict.AC:
        message = f"{case.verdict.meaning.capitalize()}."
    return msgspec.structs.replace(
        outline(case, number),
        message=message,
        mismatch=mismatch,
        measured=Measured(cpu_s=amount(case.cpu_s), wall_s=amount(case.wall_s), peak_mib=amount(case.peak_mib)),
        exhibit=_exhibit(case.evidence, case.mismatch),
    )


def _mismatch(mismatch: Mismatch) -> Mismatch:
    printed = mismatch.printed and msgspec.structs.replace(
        mismatch.printed, expected=_printed(mismatch.printed.expected), found=_printed(mismatch.printed.found)
    )
    return msgspec.structs.replace(clean_struct(mismatch), printed=printed)


def _printed(frames: tuple[PrintedFrame, ...]) -> tuple[PrintedFrame, ...]:
    return tuple((count, tuple((place, clean_line(line)) for place, line in lines)) for count, lines in frames)


def _facts(case: CaseResult) -> CaseFacts:
    is_named = case.mismatch is not None and case.mismatch.names_cause
    hint = case.facts.hint if case.verdict in _HINTED and not is_named else ""
    return clean_struct(msgspec.structs.replace(case.facts, hint=hint))


def _outcome(case: CaseResult) -> Outcome:
    special = {Verdict.AC: Outcome.PASSED, Verdict.SK: Outcome.SKIPPED, Verdict.JE: Outcome.ERROR}
    return special.get(case.verdict, Outcome.PARTLY if case.points > 0 else Outcome.FAILED)


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
        scene=evidence.scene.unpack() if evidence.scene else None,
    )


def _findings(sheet: GradeSheet) -> tuple[Finding, ...]:
    """Keep those first that most readers may see, so that hidden ones never push others off the list."""
    ranks = {case.id: FIRST_SEEN.index(case.facts.visibility) for case in sheet.cases}

    def rank(finding: Finding) -> int:
        return min((ranks.get(name, len(FIRST_SEEN)) for name in finding.cases), default=-1)

    first = sorted(sheet.findings, key=rank)[:MOST_LISTED]
    return tuple(clean_struct(_in_cell(found, sheet.sources), _REMARK_LIMIT) for found in first)


def _in_cell(finding: Finding, sources: dict[str, str]) -> Finding:
    """Say in which cell a finding is, where a notebook was handed in."""
    cell = cell_of(sources.get(finding.path, ""), finding.line)
    return msgspec.structs.replace(finding, message=f"{cell}: {finding.message}") if cell else finding


def _notes(sheet: GradeSheet) -> tuple[Note, ...]:
    notes = tuple(clean_struct(note, _REMARK_LIMIT) for note in sheet.notes[:MOST_LISTED])
    more = {"finding": len(sheet.findings), "note": len(sheet.notes)}
    return notes + tuple(
        Note(kind="left-out", message=f"{plural(count - MOST_LISTED, f'more {noun}')} not shown.")
        for noun, count in more.items()
        if count > MOST_LISTED
    )
