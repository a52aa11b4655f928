"""Returns the verdict on one run, first by its ending, then by the case's own judge; then its points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.judge.endings import judge_end, shown
from grader.judge.reasons.program import Program, Run
from grader.judge.reasons.returned import why_silent, why_wrong
from grader.judge.registry import find
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.judgement import Judge, Judgement, Trial
    from grader.model.result import Mismatch


def decide(trial: Trial) -> Judgement:
    """Judge one run. An exception here is our fault; the caller makes it JE."""
    run = Run(trial.case, trial.record, Program(trial.files), trial.kit)
    ended = judge_end(run)
    judge: Judge = find(trial.case.kind.judge)
    return _explained(run, trial, judge) if ended is None else _told_first(trial, judge, ended)


def _explained(run: Run, trial: Trial, judge: Judge) -> Judgement:
    """Judge the answer; where the program itself shows why it is wrong, say that."""
    judged = judge.judge(trial)
    if judged.verdict is not Verdict.WA or judged.mismatch is None:
        return judged
    reason = why_silent(run) or why_wrong(run, judged, lambda record: judge.judge(replace(trial, record=record)))
    if reason is None:
        return judged
    where = f"{judged.mismatch.where}: " if judged.mismatch.where else ""
    told = {
        "kind": reason.kind,
        "message": where + reason.text,
        **shown(run, reason.place),
        "suspicion": None,
        "names_cause": True,
    }
    return replace(judged, mismatch=replace(judged.mismatch, **told))


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


def _told_first(trial: Trial, judge: Any, ended: Judgement) -> Judgement:
    """Put the first broken rule before the ending, which alone gives the verdict; a crash keeps its kind."""
    ending = ended.mismatch
    if not ended.verdict.is_stop or ending is None or trial.record.irregularities:
        return ended
    fault = _so_far(trial, judge)
    if fault is None:
        return ended
    kind = ending.kind if ended.verdict is Verdict.RTE else fault.kind
    message = f"{_sentence(fault.message)} After that {ending.message}"
    line = {"path": ending.path, "line": ending.line, "source": ending.source}
    return replace(ended, mismatch=replace(fault, kind=kind, message=message, right=(), shares={}, **line))


def _so_far(trial: Trial, judge: Any) -> Mismatch | None:
    if (of_kit := getattr(trial.kit, "so_far", None)) is not None:
        return of_kit(trial.puzzle, trial.record)  # type: ignore[no-any-return]
    of_judge = getattr(judge, "so_far", None)
    return of_judge(trial) if of_judge is not None else None


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
