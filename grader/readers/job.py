"""What a reader can be asked to do, and how it can fail."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator
from enum import StrEnum
from typing import Any, Generic, TypeVar

import msgspec

A = TypeVar("A")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Cause(StrEnum):
    """Why a job gave no answer."""

    CPU = "cpu"
    MEMORY = "memory"
    WALL = "wall"
    CRASH = "crash"
    """The process ended: a signal, `os._exit`."""
    RAISED = "raised"
    """An exception left the job; the process lives on."""


class Failed(msgspec.Struct, frozen=True):
    """A job that gave no answer; `detail` is for staff: a traceback, or how the process ended."""

    cause: Cause
    detail: str = ""


class Job(msgspec.Struct, Generic[A, R_co], frozen=True, eq=False):
    """A function for readers, the types of what goes in and comes out, and its budget of processor time.

    The budget grows linearly with the bytes that go in. By default 5 s, a thousand times what an honest case takes,
    and 1 s for each MiB: the slowest reader of ours takes a third of that.
    """

    run: Callable[[A], R_co]
    takes: Any
    gives: Any
    cpu_s: float = 5.0
    cpu_s_per_mib: float = 1.0
    needs: tuple[str, ...] = ()
    """Modules that `run` imports: readers get them ahead, and the grader, which never runs it, does without."""
    slack: float = 10.0
    """Seconds on the clock for each one of processor time: only a job that waits for something meets this bound."""

    def bounds(self, size: int) -> tuple[int, int]:
        """Return seconds of processor time and on the clock, whole as the kernel counts them."""
        cpu_s = int(self.cpu_s + self.cpu_s_per_mib * size / (1 << 20)) + 1
        return cpu_s, int(self.slack * (cpu_s + 3)) + 1


Call = tuple[Job[Any, Any], Any]
Errand = Generator[Call, Any, R]
"""A conversation with readers: yields a job and its argument, is sent the answer or Failed, returns the result."""


def ask(job: Job[A, R], argument: A) -> Errand[R | Failed]:
    """Return what one job answers."""
    answer: R | Failed = yield job, argument
    return answer


def run(errand: Errand[R]) -> R:
    """Do one errand here and now, without bounds: for where there is no fork (the students' kit)."""
    answer: Any = None
    while True:
        try:
            job, argument = errand.send(answer)
        except StopIteration as end:
            result: R = end.value
            return result
        try:
            answer = job.run(argument)
        except Exception:  # noqa: BLE001 - as in a reader
            answer = Failed(Cause.RAISED, traceback.format_exc())
