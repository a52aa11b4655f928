"""Gives the verdict on one run: first the ending, then the case's own judge."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from grader.judge.endings import judge_ending

if TYPE_CHECKING:
    from grader.model.judgement import Judge, Judgement, Trial

JUDGES = {
    "claim": "grader.judge.claim",
    "path": "grader.judge.claim",
    "moves": "grader.judge.claim",
    "play": "grader.judge.claim",
    "transcript": "grader.judge.transcript",
    "value": "grader.judge.value",
    "stdout": "grader.judge.stdout",
}


@cache
def find_judge(name: str) -> Judge:
    """Give the module of a judge by its short name or import path."""
    judge: Judge = importlib.import_module(JUDGES.get(name, name))
    return judge


def decide(trial: Trial) -> Judgement:
    """Judge one run. An exception here is our fault; the caller makes it JE."""
    ended = judge_ending(trial.case, trial.record)
    return ended if ended is not None else find_judge(trial.case.kind.judge).judge(trial)
