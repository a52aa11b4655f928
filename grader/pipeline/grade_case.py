"""Grades one case: run, confirm, judge, draw.

Whatever reads a student's words is a job for readers (grader/readers). A job that fails is judged by a *control*: the
same case with an empty record. Where the control fails too, the fault is ours, and no submission can cause it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec.structs import replace

from grader.log import log
from grader.model.assignment import PolicyCost, RunAs
from grader.model.judgement import Judgement, Trial
from grader.model.kit import Drawing
from grader.model.result import CaseResult, Evidence, Mismatch
from grader.model.run import Calls, File, Reply, RunRecord, Stream
from grader.model.scene import PackedScene, Scene
from grader.model.verdict import TIMED_OUT, Ending, Verdict
from grader.pipeline.prepare import request_for
from grader.readers.job import Cause, Failed, Job, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.assignment import Assignment, Case, CaseFacts
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Prepared
    from grader.readers.job import Errand

W = TypeVar("W")

UNREADABLE = "unreadable"
"""Kind of the mismatch of an answer that no reader could read within its bounds."""
_MOST_SHOWN = 16 << 10
"""Bytes of output, error and input that evidence keeps: more than anyone reads."""
_MOST_SOURCE, _MOST_FILES = 64 << 10, 16
"""Bytes of a file, and files, that judges see: they go to a reader with every record."""
_SHARED = 3
"""Seconds on the clock for each one of processor time: with less than a third of a core, caches were others'."""


def grade_case(prepared: Prepared, submission: Submission, assignment: Assignment, sandbox: Sandbox) -> CaseResult:
    """Run one case in this sandbox and judge it here, without bounds: for a student's own machine."""
    record = run_case(prepared, submission, assignment, sandbox)
    reading = read_alone(prepared, assignment.policy.cost)
    return run(reading.read(None, prepared, record, files=python_of(submission)))


def run_case(prepared: Prepared, submission: Submission, assignment: Assignment, sandbox: Sandbox) -> RunRecord:
    """Run one case; a time-out that may be the machine's counts only when it comes twice."""
    request = request_for(prepared, submission, assignment)
    record = sandbox.run(request)
    return sandbox.run(request) if must_confirm(record) else record


def python_of(submission: Submission) -> tuple[File, ...]:
    """Return the files whose lines explanations may show: Python, as much of it as a person writes."""
    python = [file for file in submission.files if file.path.endswith(".py") and len(file.content) <= _MOST_SOURCE]
    return tuple(python[:_MOST_FILES])


def read_alone(prepared: Prepared, cost: PolicyCost) -> CaseReading[None]:
    """Return the reading of this case alone."""
    return CaseReading(lambda _: prepared, None, cost)


def must_confirm(record: RunRecord) -> bool:
    """Tell whether the machine's other work may have brought this ending about."""
    if record.ending not in TIMED_OUT or record.waited:
        return False
    return record.ending is Ending.WALL_LIMIT or record.usage.wall_s > _SHARED * record.usage.cpu_s


class CaseReading(Generic[W]):
    """The jobs that read what a run left behind; `find` gives the case for what a message calls it."""

    def __init__(self, find: Callable[[W], Prepared], name: Any, cost: PolicyCost) -> None:
        asked: Any = tuple[name, RunRecord]
        judged: Any = tuple[name, RunRecord, tuple[File, ...]]
        self._judge: Job[tuple[W, RunRecord, tuple[File, ...]], CaseResult] = Job(
            lambda asked: assess(find(asked[0]), asked[1], cost, asked[2]),
            takes=judged,
            gives=CaseResult,
            needs=("grader.judge.decide",),
        )
        self._draw: Job[tuple[W, RunRecord], tuple[PackedScene | None, float]] = Job(
            lambda asked: _timed_drawing(find(asked[0]), asked[1]),
            takes=asked,
            gives=tuple[PackedScene | None, float],
        )
        self._show: Job[tuple[W, RunRecord], Evidence] = Job(
            lambda asked: evidence_of(find(asked[0]).case, asked[1]), takes=asked, gives=Evidence
        )
        self._measure: Job[RunRecord, str] = Job(measure, takes=RunRecord, gives=str)
        self.jobs: tuple[Job[Any, Any], ...] = (self._judge, self._draw, self._show, self._measure)

    def read(
        self,
        name: W,
        prepared: Prepared,
        record: RunRecord,
        *,
        files: tuple[File, ...] = (),
        draws: bool = True,
    ) -> Errand[CaseResult]:
        """Judge the record, with the files to explain it by, then draw; the verdict stands whatever comes of that."""
        judged = yield self._judge, (name, record, files)
        if isinstance(judged, Failed):
            return (yield from self._explain(judged, name, prepared, record))
        result: CaseResult = judged
        if draws and result.verdict in _DRAWN:
            drawn = yield self._draw, (name, record)
            if isinstance(drawn, Failed):
                log().warning("drawing %s failed (%s): %s", prepared.case.id, drawn.cause, drawn.detail)
                undrawn = replace(result.evidence, is_undrawn=True)
                spent = 0.0 if drawn.cause is Cause.RAISED else self._draw.cpu_s
                result = replace(result, evidence=undrawn, read_s=result.read_s + spent)
            else:
                scene, seconds = drawn
                shown = replace(result.evidence, scene=scene)
                result = replace(result, evidence=shown, read_s=result.read_s + seconds)
        return result

    def _explain(self, failed: Failed, name: W, prepared: Prepared, record: RunRecord) -> Errand[CaseResult]:
        """Find out whose fault it is that a record couldn't be judged."""
        case = prepared.case
        control = yield self._judge, (name, _nothing_said(prepared), ())
        is_ours = isinstance(control, Failed)
        if is_ours or failed.cause is Cause.RAISED:
            log().error("judging %s failed (%s): %s", case.id, failed.cause, failed.detail)
            mismatch = Mismatch(kind="judge", message=_OURS, found=failed.detail)
            return _result(case, record, Judgement(verdict=Verdict.JE, mismatch=mismatch), outage=is_ours)
        measured = yield self._measure, record
        shown = yield self._show, (name, record)
        where = "" if isinstance(measured, Failed) else measured
        mismatch = Mismatch(kind=UNREADABLE, message=f"{_UNREAD[failed.cause]}{where}.", found=where)
        result = _result(case, record, Judgement(verdict=Verdict.WA, mismatch=mismatch))
        return result if isinstance(shown, Failed) else replace(result, evidence=shown)


_DRAWN = frozenset({Verdict.WA, Verdict.RTE, Verdict.TLE, Verdict.OLE, Verdict.MLE})
"""Verdicts on an answer, or on as much of it as there was when the run ended badly."""


_OURS = "the grader itself failed on this case; it costs you nothing."
_UNREAD = {
    Cause.CPU: "your answer could not be read: reading it takes too long",
    Cause.WALL: "your answer could not be read: reading it takes too long",
    Cause.MEMORY: "your answer could not be read: reading it takes too much memory",
    Cause.CRASH: "your answer could not be read: it ended the program that reads it",
}


def measure(record: RunRecord) -> str:
    """Say how much there is to read, and where it is longest."""
    place, longest, before, begun = 1, 0, 0, 0
    for piece in record.stdout.chunks():
        lengths = [len(part) for part in piece.split(b"\n")]
        lengths[0] += begun
        most = max(lengths)
        if most > longest:
            place, longest = before + lengths.index(most) + 1, most
        before, begun = before + len(lengths) - 1, lengths[-1]
    if not record.stdout.size:
        return f"; it gave {len(record.replies)} answers" if record.replies else ""
    return f"; it printed {record.stdout.size} bytes, and its longest line is line {place} with {longest}"


def _nothing_said(prepared: Prepared) -> RunRecord:
    """Make the record of a program that ends well and says nothing."""
    run = prepared.case.kind.run
    if run.run_as is RunAs.PROGRAM:
        return RunRecord(ending=Ending.EXITED, exit_status=run.exit_status[0] if run.exit_status else 0)
    calls = len(prepared.how.arguments) if isinstance(prepared.how, Calls) else 1
    return RunRecord(ending=Ending.EXITED, replies=(Reply(),) * calls)


def assess(prepared: Prepared, record: RunRecord, cost: PolicyCost, files: tuple[File, ...] = ()) -> CaseResult:
    """Judge, count the points, keep the evidence; what a judge or kit raises is raised."""
    began = time.process_time()
    judgement = _decide(prepared, record, cost, files)
    evidence = Evidence() if judgement.verdict is Verdict.AC else evidence_of(prepared.case, record)
    read_s = time.process_time() - began
    return replace(_result(prepared.case, record, judgement), evidence=evidence, read_s=read_s)


def _result(case: Case, record: RunRecord, judgement: Judgement, *, outage: bool = False) -> CaseResult:
    from grader.judge.decide import points_for  # noqa: PLC0415 - the grader itself judges only what it couldn't

    mismatch = judgement.mismatch
    return CaseResult(
        facts=case.facts,
        verdict=judgement.verdict,
        points=points_for(case, judgement),
        message=mismatch.message if mismatch else "",
        mismatch=mismatch,
        cpu_s=round(record.usage.cpu_s, 4),
        wall_s=round(record.usage.wall_s, 4),
        peak_mib=round(record.usage.peak_mib, 1),
        outage=outage or record.ending is Ending.SANDBOX_FAILED,  # the engine's own control failed
    )


def not_run(facts: CaseFacts, verdict: Verdict, message: str) -> CaseResult:
    """Return the result of a case that was never run, with the reason."""
    return CaseResult(facts=facts, verdict=verdict, points=0.0, message=message)


def _decide(prepared: Prepared, record: RunRecord, cost: PolicyCost, files: tuple[File, ...]) -> Judgement:
    if record.ban_uses and cost is PolicyCost.CASE:
        use = record.ban_uses[0]
        message = f"while it ran, your program used {use.module} ({use.path}, line {use.line}), which is banned."
        return Judgement(verdict=Verdict.PV, mismatch=Mismatch(kind="banned-use", message=message))
    from grader.judge.decide import decide  # noqa: PLC0415 - the grader itself never judges

    return decide(Trial(case=prepared.case, kit=prepared.kit, puzzle=prepared.puzzle, record=record, files=files))


def _timed_drawing(prepared: Prepared, record: RunRecord) -> tuple[PackedScene | None, float]:
    began = time.process_time()
    scene = draw(prepared, record)
    packed = PackedScene.of(scene) if scene else None
    return packed, time.process_time() - began


def draw(prepared: Prepared, record: RunRecord) -> Scene | None:
    """Draw the case with the answer that the record holds."""
    kit = prepared.kit
    if not isinstance(kit, Drawing):
        return None
    claim = prepared.kit.read(record) if hasattr(kit, "read") else None
    has_ended = record.ending is Ending.EXITED or record.ending in TIMED_OUT
    if claim is None and (record.raised or not has_ended):
        return None  # it broke before there was anything to see
    return kit.draw(prepared.puzzle, claim)


def evidence_of(case: Case, record: RunRecord) -> Evidence:
    raised = record.raised or next((reply.raised for reply in record.replies if reply.raised), None)
    return Evidence(
        input=case.input[:_MOST_SHOWN],
        stdout=_head(record.stdout),
        stderr=_head(record.stderr),
        traceback=raised.traceback if raised else "",
    )


def _head(stream: Stream) -> Stream:
    if stream.size <= _MOST_SHOWN:
        return stream
    return Stream.of(stream.head(_MOST_SHOWN), cut=True)
