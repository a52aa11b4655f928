"""Lets the kit read the student's claim and check it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.judge.value import json_bytes
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Sealing, expectation
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def sealed(trial: Trial) -> bytes | None:
    """Return the kit's answer where it says that it can't be guessed."""
    answer = trial.kit.sealed(trial.case.expect) if isinstance(trial.kit, Sealing) else None
    return None if answer is None else json_bytes(answer)


def answers(trial: Trial) -> Iterator[bytes]:
    yield json_bytes(trial.kit.read(trial.record))
