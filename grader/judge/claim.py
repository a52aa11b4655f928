"""Lets the kit read the student's claim and check it."""

from __future__ import annotations

import msgspec

from grader.model.judgement import Judgement, Trial
from grader.model.kit import expectation
from grader.model.verdict import Verdict

NAME = "claim"
ASKS = ("read", "check")


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The judge `claim` takes no options."""


def judge(trial: Trial) -> Judgement:
    """Read leniently, judge strictly."""
    stored = trial.case.expect
    expect = expectation(trial.kit, trial.puzzle) if stored is None else stored
    mismatch = trial.kit.check(trial.puzzle, trial.kit.read(trial.record), expect)
    if mismatch is None:
        return Judgement(verdict=Verdict.AC)
    return Judgement(verdict=Verdict.WA, mismatch=mismatch)
