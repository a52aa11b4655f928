"""Returns the verdict on one run, first by its ending, then by the case's own judge; then its points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.judge.endings import judge_ending
from grader.judge.first_fault import told_first
from grader.judge.registry import find
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.judgement import Judge, Judgement, Trial


def decide(trial: Trial) -> Judgement:
    """Judge one run. An exception here is our fault; the caller makes it JE."""
    ended = judge_ending(trial.case, trial.record)
    judge: Judge = find(trial.case.kind.judge)
    return judge.judge(trial) if ended is None else told_first(trial, judge, ended)


def points_for(case: Case, judgement: Judgement) -> float:
    """Give full points, none, or what the case grants for the parts that are right."""
    if judgement.verdict is Verdict.AC:
        return case.facts.points
    if judgement.verdict is not Verdict.WA or judgement.mismatch is None:
        return 0.0
    mismatch = judgement.mismatch
    granted = sum(case.partial.get(part, 0.0) for part in mismatch.right)
    granted += sum(case.partial.get(part, 0.0) * share for part, share in mismatch.shares.items())
    return round(case.facts.points * min(1.0, granted), 6)
