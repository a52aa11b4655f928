"""Decides what a run's ending alone decides: limits, crashes, our own faults."""

from __future__ import annotations

import ast
import signal
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.judge.reasons.crash import explain_crash
from grader.judge.reasons.program import Program, Reason, Run
from grader.model.assignment import RunAs
from grader.model.judgement import Judgement
from grader.model.result import Mismatch
from grader.model.run import Place
from grader.model.verdict import Ending, Verdict
from grader.tracebacks import summary_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Case
    from grader.model.run import RunRecord


_YOURS = "your program"


def judge_ending(case: Case, record: RunRecord) -> Judgement | None:
    """Give the verdict when the program never gave an answer to judge; None when it did."""
    return judge_end(Run(case, record, Program(())))


def judge_end(run: Run) -> Judgement | None:
    """Give the same with reasons from the student's own files."""
    case, record = run.case, run.record
    if record.irregularities and record.ending in {Ending.EXITED, Ending.SIGNALLED}:
        return _channel(record)
    if record.ending is not Ending.EXITED:
        return _limit(run)
    if record.raised is not None:
        return failed(run, Verdict.RTE, explain_crash(run, record.raised, _YOURS))
    if case.kind.run.run_as is RunAs.PROGRAM:
        return _exit_status(run)
    return _replies(run)


def _limit(run: Run) -> Judgement:
    limits, record = run.case.limits, run.record
    match record.ending:
        case Ending.CPU_LIMIT:
            advice = " Is there a loop that never ends, or a search that visits the same state again?"
            return _stopped(run, Verdict.TLE, f"computed for more than {limits.cpu_s:g} s without finishing.", advice)
        case Ending.WALL_LIMIT:
            advice = " Does it wait for input that never comes, or sleep?"
            return _stopped(run, Verdict.TLE, f"hadn't finished after {_patience(run):g} s.", advice)
        case Ending.OUTPUT_LIMIT:
            text = f"printed more than {limits.output_mib:g} megabytes; is it printing in a loop?"
            return _stopped(run, Verdict.OLE, text)
        case Ending.MEMORY_LIMIT:
            text = f"{_YOURS} needed more than {limits.memory_mib} megabytes of memory."
            return failed(run, Verdict.MLE, Reason(kind="memory", text=text))
        case Ending.SIGNALLED:
            text = f"{_YOURS} was ended by {_signal_name(record.signal)}."
            return failed(run, Verdict.RTE, Reason(kind="signal", text=text))
    return Judgement(
        verdict=Verdict.JE,
        mismatch=Mismatch(
            kind="sandbox",
            message="the grader itself failed on this case; it costs you nothing.",
            found=record.detail,
        ),
    )


def _stopped(run: Run, verdict: Verdict, text: str, advice: str = "") -> Judgement:
    """Say at which limit, and where it was then; guess only where that isn't known."""
    stopped = _where_stopped(run)
    kind = "output" if verdict is Verdict.OLE else "time"
    reason = Reason(kind=kind, text=f"{_YOURS} {text}{stopped.text or advice}", place=stopped.place)
    return failed(run, verdict, reason)


def _patience(run: Run) -> float:
    """Return the seconds on the clock that were over: of the whole run, or of one call."""
    limits = run.case.limits
    return limits.tick_s if limits.tick_s is not None and "call" in run.record.detail else limits.wall_s


def _channel(record: RunRecord) -> Judgement:
    """Fail a run that broke the protocol: after a breach nothing that it told, bans included, can be believed."""
    message = (
        "your program wrote to the channel between it and the grader "
        f"({', '.join(record.irregularities)}); a program prints, a function answers with return."
    )
    return Judgement(verdict=Verdict.RTE, mismatch=Mismatch(kind="channel", message=message))


def _exit_status(run: Run) -> Judgement | None:
    status = run.record.exit_status
    if status in run.case.kind.run.exit_status:
        return None
    said = summary_of(run.record.stderr.head(4096).decode("utf-8", "replace"))
    place = _exit_call(run)
    at = f" at line {place.line} of {place.path}{run.program.quoted(place)}" if place else ""
    text = f"{_YOURS} stopped with exit status {status}{at}; 0 means that all went well."
    return failed(
        run, Verdict.RTE, Reason(kind="exit-status", text=text + (f" It said: {said}" if said else ""), place=place)
    )


def _exit_call(run: Run) -> Place | None:
    """Return the only call that ends the program with this status, if there is one."""
    tree = run.main.tree if run.main else None
    nodes: Iterable[Any] = ast.walk(tree) if tree else ()
    lines = [node.lineno for node in nodes if _exits_with(node, run.record.exit_status)]
    return Place(path=run.case.kind.run.module, line=lines[0]) if len(lines) == 1 else None


def _exits_with(node: Any, status: int | None) -> bool:
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name in {"exit", "quit", "_exit"} and node.args[0].value == status


def _replies(run: Run) -> Judgement | None:
    record, function = run.record, run.case.kind.run.function
    for index, reply in enumerate(record.replies):
        if reply.raised is not None:
            reason = explain_crash(run, reply.raised, function)
            return failed(run, Verdict.RTE, reason, call=index if len(record.replies) > 1 else None)
    if record.replies:
        return None
    status = f"exit status {record.exit_status}"
    text = f"{function} never returned: the program ended inside it ({status}). A function answers with `return`."
    return failed(run, Verdict.RTE, Reason(kind="no-reply", text=text))


def failed(run: Run, verdict: Verdict, reason: Reason, call: int | None = None) -> Judgement:
    """Make a reason into the judgement that every report shows."""
    where = "" if call is None else call_name(run.kit, call)
    message = f"{where}: {reason.text}" if where else reason.text
    mismatch = Mismatch(kind=reason.kind, message=message, where=where, step=call, **shown(run, reason.place))
    return Judgement(verdict=verdict, mismatch=mismatch)


def shown(run: Run, place: Place | None) -> dict[str, Any]:
    """Return the fields of a mismatch that show a line of the student's own."""
    return {} if place is None else {"path": place.path, "line": place.line, "source": run.program.line(place)}


def call_name(kit: object, index: int) -> str:
    """Name a call in the kit's words, else by its number from 1."""
    return getattr(kit, "call_name", "call {number}").format(index=index, number=index + 1)


def _signal_name(number: int | None) -> str:
    try:
        name = signal.Signals(number or 0).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (a crash inside the interpreter, often from very deep recursion)" if name == "SIGSEGV" else name


def _loops(run: Run) -> Iterator[tuple[Place, ast.While | ast.For]]:
    """Give the loop around each line of the stack, the innermost first."""
    for place in run.record.stopped_at:
        source = run.program.source(place.path)
        loop = source.loop_around(place.line) if source else None
        if loop is not None:
            yield place, loop


class _Stopped(NamedTuple):
    text: str
    place: Place | None = None


def _where_stopped(run: Run) -> _Stopped:
    """Name the innermost `while` that it was in, else the innermost `for`, else the line; else say nothing.

    Which line of the loop it was is chance: a second run would be told another one.
    """
    places = run.record.stopped_at
    for place, loop in sorted(_loops(run), key=lambda found: isinstance(found[1], ast.For)):
        begin = Place(path=place.path, line=loop.lineno)
        text = f"it was in the loop of line {begin.line} of {begin.path}{run.program.quoted(begin)}"
        return _Stopped(f" When it was stopped, {text}.", begin)
    if not places:
        return _Stopped("")
    at = f"line {places[0].line} of {places[0].path}{run.program.quoted(places[0])}"
    return _Stopped(f" When it was stopped, it was at {at}.", places[0])
