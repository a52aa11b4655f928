"""Decides what a run's ending alone decides: limits, crashes, our own faults."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from grader.model.assignment import RunAs
from grader.model.result import Mismatch
from grader.model.verdict import Ending, Verdict
from grader.tracebacks import place_of, summary_of

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.judgement import Judgement
    from grader.model.run import Raised, RunRecord

from grader.model.judgement import Judgement


def judge_ending(case: Case, record: RunRecord) -> Judgement | None:
    """Give the verdict when the program never gave an answer to judge; None when it did."""
    if record.irregularities and record.ending in {Ending.EXITED, Ending.SIGNALLED}:
        return _channel(record)
    if record.ending is not Ending.EXITED:
        return _limit(case, record)
    if record.raised is not None:
        return _raised(record.raised, "", case)
    if case.kind.run.run_as is RunAs.PROGRAM:
        return _exit_status(case, record)
    return _replies(case, record)


def _limit(case: Case, record: RunRecord) -> Judgement:
    limits = case.limits
    match record.ending:
        case Ending.CPU_LIMIT:
            return _fault(
                Verdict.TLE,
                "time",
                f"it computed for more than {limits.cpu_s:g} s without finishing; "
                "is there a loop that never ends, or a search that visits the same state again?",
            )
        case Ending.WALL_LIMIT:
            return _fault(
                Verdict.TLE,
                "time",
                f"it hadn't finished after {limits.wall_s:g} s; does it wait for input that never comes, or sleep?",
            )
        case Ending.MEMORY_LIMIT:
            return _fault(Verdict.MLE, "memory", f"it needed more than {limits.memory_mib} MiB of memory.")
        case Ending.OUTPUT_LIMIT:
            return _fault(
                Verdict.OLE, "output", f"it printed more than {limits.output_mib:g} MiB; is it printing in a loop?"
            )
        case Ending.SIGNALLED:
            return _fault(Verdict.RTE, "signal", f"it was ended by {_signal_name(record.signal)}.")
    return Judgement(
        verdict=Verdict.JE,
        mismatch=Mismatch(
            kind="sandbox",
            message="the grader itself failed on this case; it costs you nothing.",
            found=record.detail,
        ),
    )


def _channel(record: RunRecord) -> Judgement:
    """Fail a run that broke the protocol: after a breach nothing that it told, bans included, can be believed."""
    return _fault(
        Verdict.RTE,
        "channel",
        "it wrote to the channel between it and the grader "
        f"({', '.join(record.irregularities)}); a program prints, a function answers with return.",
    )


def _exit_status(case: Case, record: RunRecord) -> Judgement | None:
    if record.exit_status in case.kind.run.exit_status:
        return None
    said = summary_of(record.stderr.head(4096).decode("utf-8", "replace"))
    text = f"it ended with exit status {record.exit_status}" + (f" and said: {said}" if said else ".")
    return _fault(Verdict.RTE, "exit-status", text)


def _replies(case: Case, record: RunRecord) -> Judgement | None:
    for number, reply in enumerate(record.replies, start=1):
        if reply.raised is not None:
            where = f"call {number}: " if len(record.replies) > 1 else ""
            return _raised(reply.raised, where, case)
    if not record.replies:
        function = case.kind.run.function
        return _fault(
            Verdict.RTE,
            "no-reply",
            f"{function} never returned: the program ended inside it (exit status {record.exit_status}).",
        )
    return None


def _raised(raised: Raised, where: str, case: Case) -> Judgement:
    place = place_of(raised.traceback)
    told = f"{raised.type}: {raised.message}" if raised.message else raised.type
    advice = _ADVICE.get(raised.type, "")
    if raised.type == "EOFError" and case.kind.run.stdin:
        advice = "it asked for more input than it is given."
    text = f"{where}it stopped with {told[:300]}{' ' + place if place else ''}." + (f" {advice}" if advice else "")
    return _fault(Verdict.RTE, raised.type, text)


def _fault(verdict: Verdict, kind: str, text: str) -> Judgement:
    return Judgement(verdict=verdict, mismatch=Mismatch(kind=kind, message=f"your program failed: {text}"))


def _signal_name(number: int | None) -> str:
    try:
        name = signal.Signals(number or 0).name
    except ValueError:
        return f"signal {number}"
    return f"{name} (a crash inside the interpreter, often from very deep recursion)" if name == "SIGSEGV" else name


_ADVICE = {
    "RecursionError": "Recursion goes as deep as the path is long; a stack or queue of your own has no such limit.",
    "ModuleNotFoundError": "Only the standard library and the files handed in are there.",
    "FileNotFoundError": "The input file is in the working directory, under the name that it is given.",
    "IndexError": "An index was outside its list: is it checked at the edges, and may rows differ in length?",
    "SyntaxError": "Python can't read the file; run it at home with python3 to see the same message.",
}
