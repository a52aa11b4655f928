"""What the harness asks of a judge: facts and expectation in, judgement out.

A judge is a module with `judge(trial) -> Judgement`; without a stored expectation it asks the kit (as hunt does).
What else it may say of itself stands in grader/judge/registry.py.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from grader.model.assignment import Case
from grader.model.kit import Kit, Puzzle
from grader.model.result import Mismatch
from grader.model.run import File, RunRecord
from grader.model.verdict import Verdict


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One run before the judge. A judge gets those that exited; others are judged by their ending."""

    case: Case
    kit: Kit
    """The kit that the case's kind names, with whatever else it can."""
    puzzle: Puzzle
    """What the kit's `parse` gave."""
    record: RunRecord
    """What happened in the sandbox."""
    files: tuple[File, ...] = ()
    """The submission's own Python files, to show lines of them; none where they aren't known."""


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The judge's word on one run."""

    verdict: Verdict
    mismatch: Mismatch | None = None
    """Where the answer parts from the rules; there is one unless the verdict is AC."""


class Judge(Protocol):
    """A module with a function `judge`."""

    def judge(self, trial: Trial) -> Judgement:
        """Decide; an exception in here becomes JE and costs the student nothing."""
        ...
