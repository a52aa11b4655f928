"""Turns one record into the result of its case."""

from __future__ import annotations

import logging
import traceback
from typing import TYPE_CHECKING

from grader.judge.credit import points_for
from grader.judge.decide import decide
from grader.model.assignment import PolicyCost
from grader.model.judgement import Judgement, Trial
from grader.model.result import CaseResult, Evidence, Mismatch
from grader.model.run import RunRecord, Stream
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.scene import Scene
    from grader.pipeline.prepare import Prepared

_log = logging.getLogger("grader")
_MOST_SHOWN = 64 << 10
"""Bytes of output, error and input that evidence keeps: more than anyone reads."""
_DRAWN = frozenset({Verdict.WA})


def verdict_of(prepared: Prepared, record: RunRecord, cost: PolicyCost) -> Verdict:
    """Judge, and keep nothing but the verdict."""
    return _decide(_trial(prepared, record), cost).verdict


def assess(prepared: Prepared, record: RunRecord, cost: PolicyCost) -> CaseResult:
    """Judge, count the points, keep the evidence. What fails in here is our fault and becomes JE."""
    trial = _trial(prepared, record)
    judgement = _decide(trial, cost)
    case = prepared.case
    mismatch = judgement.mismatch
    return CaseResult(
        id=case.id,
        title=case.title,
        verdict=judgement.verdict,
        points=points_for(case, judgement),
        max_points=case.points,
        visibility=case.visibility,
        message=mismatch.message if mismatch else "",
        mismatch=mismatch,
        hint=case.hint if judgement.verdict is not Verdict.AC else "",
        tags=case.tags,
        cpu_s=round(record.usage.cpu_s, 4),
        wall_s=round(record.usage.wall_s, 4),
        peak_mib=round(record.usage.peak_mib, 1),
        evidence=_evidence(trial, judgement),
    )


def not_run(case: Case, verdict: Verdict, message: str) -> CaseResult:
    """Give the result of a case that was never run, with the reason."""
    return CaseResult(
        id=case.id,
        title=case.title,
        verdict=verdict,
        points=0.0,
        max_points=case.points,
        visibility=case.visibility,
        message=message,
        tags=case.tags,
    )


def _trial(prepared: Prepared, record: RunRecord) -> Trial:
    return Trial(case=prepared.case, kit=prepared.kit, puzzle=prepared.puzzle, record=record)


def _decide(trial: Trial, cost: PolicyCost) -> Judgement:
    if trial.record.ban_uses and cost is PolicyCost.CASE:
        use = trial.record.ban_uses[0]
        place = f" ({use.path}, line {use.line})" if use.path else ""
        message = f"while it ran, your program used {use.what}{place}; the module {use.module} is banned."
        return Judgement(verdict=Verdict.PV, mismatch=Mismatch(kind="banned-use", message=message))
    try:
        return decide(trial)
    except Exception as error:  # noqa: BLE001 - the one place where our own faults become JE
        _log.exception("judging %s failed", trial.case.id)
        message = "the grader itself failed on this case; it costs you nothing."
        detail = "".join(traceback.format_exception(error))
        return Judgement(verdict=Verdict.JE, mismatch=Mismatch(kind="judge", message=message, found=detail))


def _evidence(trial: Trial, judgement: Judgement) -> Evidence:
    if judgement.verdict is Verdict.AC:
        return Evidence()
    record = trial.record
    raised = record.raised or next((reply.raised for reply in record.replies if reply.raised), None)
    return Evidence(
        input=trial.case.maze[:_MOST_SHOWN],
        stdout=_head(record.stdout),
        stderr=_head(record.stderr),
        traceback=raised.traceback if raised else "",
        scene=_draw(trial) if judgement.verdict in _DRAWN else None,
    )


def _head(stream: Stream) -> Stream:
    if stream.size <= _MOST_SHOWN:
        return stream
    return Stream.of(stream.head(_MOST_SHOWN), cut=True)


def _draw(trial: Trial) -> Scene | None:
    """Draw the case; a drawing that fails costs nobody a verdict."""
    try:
        scene: Scene = trial.kit.draw(trial.puzzle, trial.kit.read(trial.record))
    except Exception:  # noqa: BLE001 - whatever a kit's drawing raises
        _log.exception("drawing %s failed", trial.case.id)
        return None
    return scene
