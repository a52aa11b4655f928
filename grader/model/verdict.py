"""The closed sets: endings, verdicts, visibilities, audiences, levels."""

from __future__ import annotations

from enum import StrEnum


class Ending(StrEnum):
    """How a run ended: a fact, not an opinion."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    SANDBOX_FAILED = "sandbox_failed"


TIMED_OUT = frozenset({Ending.CPU_LIMIT, Ending.WALL_LIMIT})
"""Endings that a busy machine may bring about; they are confirmed by another run."""


class Verdict(StrEnum):
    """What the judge says of one case."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    MLE = "MLE"
    OLE = "OLE"
    RTE = "RTE"
    PV = "PV"
    SK = "SK"
    JE = "JE"

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]

    @property
    def is_stop(self) -> bool:
        """Tell whether the run was stopped, or stopped itself, before its answer was whole."""
        return self in ENDLESS or self is Verdict.RTE

    @property
    def faces(self) -> frozenset[Verdict]:
        """All verdicts that the same failure may get: of an endless one any of three, else this one alone."""
        return ENDLESS if self in ENDLESS else frozenset({self})


ENDLESS = frozenset({Verdict.TLE, Verdict.MLE, Verdict.OLE})
"""One failure with three faces: which limit a program without end meets first hangs on the machine's speed."""


_MEANINGS = {
    Verdict.AC: "accepted",
    Verdict.WA: "wrong answer",
    Verdict.TLE: "time limit exceeded",
    Verdict.MLE: "memory limit exceeded",
    Verdict.OLE: "output limit exceeded",
    Verdict.RTE: "run-time error",
    Verdict.PV: "policy violation",
    Verdict.SK: "skipped",
    Verdict.JE: "judge error (our fault, not yours)",
}


class Visibility(StrEnum):
    """When a student may see a case."""

    VISIBLE = "visible"
    HIDDEN = "hidden"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"


FIRST_SEEN = (Visibility.VISIBLE, Visibility.AFTER_DUE_DATE, Visibility.AFTER_PUBLISHED, Visibility.HIDDEN)
"""From what is seen first to what is seen last."""


class HiddenOutcomes(StrEnum):
    """Whether students are told how their program did on cases that they may not see."""

    SHOWN = "shown"
    AFTER_DUE = "after_due"
    NEVER = "never"

    def are_told(self, audience: Audience) -> bool:
        """Tell whether this reader learns the outcome and the points of a closed case."""
        return self is HiddenOutcomes.SHOWN or (
            self is HiddenOutcomes.AFTER_DUE and audience is Audience.STUDENT_AFTER_DUE
        )


class Audience(StrEnum):
    """Who reads a report."""

    STUDENT = "student"
    STUDENT_AFTER_DUE = "student_after_due"
    STAFF = "staff"


class Level(StrEnum):
    """How strong the wall was, weakest first."""

    NONE = "none"
    CONFINED = "confined"
    ISOLATED = "isolated"

    def reaches(self, other: Level) -> bool:
        """Tell whether this wall is at least as strong as the other."""
        order = list(Level)
        return order.index(self) >= order.index(other)
