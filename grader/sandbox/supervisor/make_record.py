"""Turns the facts of one watched case into its record."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from grader.model.run import RunRecord, Usage
from grader.model.verdict import Ending, Level
from grader.sandbox.supervisor.supervise import LONG

if TYPE_CHECKING:
    from grader.sandbox.supervisor.supervise import Supervision

KIB_PER_MIB = 1024


def record(watch: Supervision, level: Level) -> RunRecord:
    """Return the record of a case that has ended."""
    assert watch.ended is not None
    dialogue = watch.dialogue
    if not dialogue.begun:
        return failed(dialogue.broken_set_up or "the process ended before the program began", level)
    code = os.waitstatus_to_exitcode(watch.ended.status)
    ending = _ending(watch, code)
    if ending is Ending.SIGNALLED and code == -signal.SIGKILL and not watch.stopped:
        return failed("the case was killed from outside; is the machine out of memory?", level)
    return RunRecord(
        ending=ending,
        exit_status=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        usage=Usage(
            cpu_s=watch.ended.cpu_s,
            wall_s=watch.wall_s,
            peak_mib=watch.ended.peak_kib / KIB_PER_MIB,
            bytes_written=watch.stdout.seen + watch.stderr.seen,
        ),
        stdout=watch.stdout.stream(),
        stderr=watch.stderr.stream(),
        stopped_at=watch.stopped_at,
        waited=watch.waited,
        was_long=watch.was_long or watch.ended.cpu_s > LONG * watch.limits.cpu_s,
        level=level,
        detail=watch.detail,
        **dialogue.facts(),
    )


def failed(detail: str, level: Level) -> RunRecord:
    """Return the record of a case that our own mechanism failed."""
    return RunRecord(ending=Ending.SANDBOX_FAILED, level=level, detail=detail)


def _ending(watch: Supervision, code: int) -> Ending:
    assert watch.ended is not None
    if watch.limit is not None:
        return watch.limit
    if code in {-signal.SIGKILL, -signal.SIGXCPU} and watch.ended.cpu_s > watch.limits.cpu_s:
        return Ending.CPU_LIMIT  # the kernel's backstop was first
    if watch.dialogue.out_of_memory:
        return Ending.MEMORY_LIMIT
    return Ending.SIGNALLED if code < 0 else Ending.EXITED
