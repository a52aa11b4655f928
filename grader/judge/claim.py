"""Lets the kit read the student's claim and check it: paths, moves, play."""

from __future__ import annotations

from grader.model.assignment import Expect
from grader.model.judgement import Judgement, Trial
from grader.model.verdict import Verdict

_UNKNOWN = Expect()


def judge(trial: Trial) -> Judgement:
    """Read leniently, judge strictly."""
    expect = trial.case.expect if trial.case.expect != _UNKNOWN else trial.kit.expect(trial.puzzle)
    mismatch = trial.kit.check(trial.puzzle, trial.kit.read(trial.record), expect)
    if mismatch is None:
        return Judgement(verdict=Verdict.AC)
    return Judgement(verdict=Verdict.WA, mismatch=mismatch)
