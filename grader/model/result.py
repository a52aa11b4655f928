"""What was found and decided, down to the evidence."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from grader.model.assignment import CaseFacts, Feedback
from grader.model.run import Stream
from grader.model.scene import PackedScene
from grader.model.submission import Note
from grader.model.verdict import HiddenOutcomes, Level, Verdict


class Severity(StrEnum):
    """`certain` costs what the assignment says; `review` is a note for staff and costs nothing."""

    CERTAIN = "certain"
    REVIEW = "review"


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing in the source that the assignment's rules speak of."""

    rule: str
    path: str
    """Empty, with line and column 0, where no place is told."""
    line: int
    column: int
    message: str
    """One sentence: what was found and how it was reached."""
    severity: Severity = Severity.CERTAIN
    source: str = ""
    """The line itself."""
    end_column: int = 0
    why: str = ""
    instead: str = ""
    cases: tuple[str, ...] = ()
    """Ids of the cases whose runs showed it; empty for what stands in the source."""

    @property
    def breach(self) -> bool:
        """It breaks a rule of the assignment; a file that doesn't parse breaks none, it just can't run."""
        return self.severity is Severity.CERTAIN and self.rule != "syntax-error"


PrintedFrame = tuple[int, tuple[tuple[int, str], ...]]
"""How many lines a frame has, and those that are not as in the frame before, each with its place."""


class Printed(msgspec.Struct, frozen=True, kw_only=True):
    """Frames as text round the first difference: what the program should have printed, and what it did."""

    first: int
    """Number of the first frame kept."""
    fork: int
    """Number of the frame that differs; all before it agree."""
    expected: tuple[PrintedFrame, ...]
    found: tuple[PrintedFrame, ...]
    """From the fork on."""


class Suspicion(msgspec.Struct, frozen=True, kw_only=True):
    """Which mistakes, of those that a kit knows, would give this very answer to this case."""

    names: tuple[str, ...]
    """The kit's own names; none of them is told before the submission's other cases are heard."""
    weight: int = 2
    """How much this answer proves; a mistake is named when its cases have 2 together."""


class Accusation(msgspec.Struct, frozen=True, kw_only=True):
    """The mistake that explains every answer of a submission, for its student."""

    words: str
    """A sentence, to follow the difference that each case shows."""
    kind: str = ""
    """A stable word that replaces the mismatch's own, where it says more."""


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """Where an answer parts from the rules, in the terms of the puzzle."""

    kind: str
    """A stable word for grouping: `frame`, `illegal-move`, `not-shortest`, `count`, `no-answer`, …"""
    message: str
    """One or two sentences that the student can act on."""
    where: str = ""
    """`frame 17`, `move 4`, `tick 12`."""
    expected: str = ""
    found: str = ""
    step: int | None = None
    """Index of the first wrong frame, move or tick, from 0; the player jumps there."""
    right: tuple[str, ...] = ()
    """Parts of the answer that are right, for partial credit."""
    shares: dict[str, float] = {}
    """Part of the answer → how much of it is right, 0 to 1, where it has many pieces; for partial credit."""
    expected_text: str = ""
    """The whole text round the place (a frame), for a line by line comparison; empty when `expected` is all of it."""
    found_text: str = ""
    printed: Printed | None = None
    """The frames round the place, where the answer is a transcript."""
    path: str = ""
    """The student's own file in which the cause shows, if it is known; then `line` and the line's text."""
    line: int = 0
    source: str = ""
    names_cause: bool = False
    """The message says what is wrong in the program; the case's hint would only distract from it."""
    cause: str = ""
    """The mistake that explains every answer of the submission, in the sentence with which the message ends."""
    suspicion: Suspicion | None = None
    """What may be behind it; None where that can't be known. No sheet holds it: see pipeline/sheet.py."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What a report may show beside a verdict."""

    input: str = ""
    stdout: Stream = Stream()
    stderr: Stream = Stream()
    traceback: str = ""
    scene: PackedScene | None = None
    is_undrawn: bool = False
    """The drawing failed; another time it may not."""


class CaseResult(msgspec.Struct, frozen=True, kw_only=True):
    """The judge's word on one case."""

    facts: CaseFacts
    verdict: Verdict
    points: float
    message: str = ""
    mismatch: Mismatch | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    peak_mib: float = 0.0
    evidence: Evidence = Evidence()
    outage: bool = False
    """Only with JE: the fault is one that no submission can cause, since a control failed as well."""
    read_s: float = 0.0
    """Seconds of processor time that it took us to judge and draw."""

    @property
    def id(self) -> str:
        return self.facts.id


class Isolation(msgspec.Struct, frozen=True, kw_only=True):
    """The wall as it really stood: level, what held, what didn't."""

    level: str
    mechanisms: tuple[str, ...] = ()
    missing: tuple[dict[str, str], ...] = ()
    """Each with `what`, `why`, `consequence`."""

    @property
    def is_wall(self) -> bool:
        """Whether a program was kept from the machine's files: marks given without that are flagged."""
        return Level(self.level).reaches(Level.CONFINED)


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A person's judgement: an item of the rubric, or points and words on a place of the submission."""

    title: str
    """What it is about: the item, the case, the line, or the whole of it."""
    points: float | None = 0.0
    """Given, or taken when negative; None for an item of the rubric that nobody has judged yet."""
    max_points: float = 0.0
    """For an item of the rubric: the most that is given, or taken."""
    message: str = ""
    case: str = ""
    """The case's id."""
    path: str = ""
    line: int = 0
    source: str = ""
    """The line itself."""
    by: str = ""
    """Who judged; for staff alone."""


class GradeSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything decided about one submission in one assignment."""

    submission: str
    assignment: str
    title: str
    points: float
    """Sum over the cases that could be judged, less the fine."""
    max_points: float
    """What the cases that could be judged are worth."""
    cases: tuple[CaseResult, ...]
    fine: float = 0.0
    """Points that findings cost."""
    hidden_outcomes: HiddenOutcomes = HiddenOutcomes.SHOWN
    feedback: Feedback = Feedback()
    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    remarks: tuple[Remark, ...] = ()
    """What people judge, beside the machine's points: the book adds it when a report is written."""
    problem: str = ""
    sources: dict[str, str] = {}
    """Text of the student's Python files."""
    isolation: Isolation
    grader: str

    @property
    def unjudged(self) -> tuple[CaseResult, ...]:
        """The cases that could not be judged through our own fault; they count in no sum."""
        return tuple(case for case in self.cases if case.verdict is Verdict.JE)
