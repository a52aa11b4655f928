"""Hidden answers as keyed digests: who has one can confirm an answer, and read none."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from grader.handout.contents import bare
from grader.judge.endings import judge_ending
from grader.judge.registry import find
from grader.model.judgement import Trial
from grader.pipeline.prepare import request_for

if TYPE_CHECKING:
    from grader.model.assignment import Assignment
    from grader.model.run import RunRecord
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Prepared


def digest_of(answer: bytes, key: str) -> str:
    """Digest an answer slowly, under the case's own key."""
    folded = hashlib.sha256(answer).digest()
    return hashlib.scrypt(folded, salt=key.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()


def confirm(hidden: list[dict[str, Any]], assignment: Assignment, submission: Submission, sandbox: Sandbox) -> str:
    """Run the hidden inputs and say how many answers are the expected ones; no reason is here to be told."""
    sealed = [packed for packed in hidden if packed["checkable"]]
    confirmed = 0
    for packed in sealed:
        prepared = bare(packed)
        record = sandbox.run(request_for(prepared, submission, assignment))
        confirmed += judge_ending(prepared.case, record) is None and _is_confirmed(prepared, record, packed)
    uncheckable = len(hidden) - len(sealed)
    return f"hidden cases: {confirmed} of {len(sealed)} confirmed by digest, {uncheckable} not checkable at home."


def _is_confirmed(prepared: Prepared, record: RunRecord, packed: dict[str, Any]) -> bool:
    judge = find(prepared.case.kind.judge)
    trial = Trial(case=prepared.case, kit=prepared.kit, puzzle=None, record=record)
    return any(digest_of(answer, packed["key"]) == packed["digest"] for answer in judge.answers(trial))
