"""Tells what an answer broke before its run ended badly, then how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.model.kit import Following
from grader.model.verdict import Verdict

if TYPE_CHECKING:
    from grader.model.judgement import Judgement, Trial
    from grader.model.result import Mismatch

_STOPPED = frozenset({Verdict.TLE, Verdict.OLE, Verdict.MLE, Verdict.RTE})


def told_first(trial: Trial, judge: Any, ended: Judgement) -> Judgement:
    """Put the first broken rule before the ending, which alone gives the verdict; a crash keeps its kind."""
    ending = ended.mismatch
    if ended.verdict not in _STOPPED or ending is None or trial.record.irregularities:
        return ended
    fault = _so_far(trial, judge)
    if fault is None:
        return ended
    kind = ending.kind if ended.verdict is Verdict.RTE else fault.kind
    message = f"{_sentence(fault.message)} After that {ending.message}"
    line = {"path": ending.path, "line": ending.line, "source": ending.source}
    return replace(ended, mismatch=replace(fault, kind=kind, message=message, right=(), shares={}, **line))


def _so_far(trial: Trial, judge: Any) -> Mismatch | None:
    if isinstance(trial.kit, Following):
        return trial.kit.so_far(trial.puzzle, trial.record)
    asked = getattr(judge, "so_far", None)
    return asked(trial) if asked is not None else None


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
