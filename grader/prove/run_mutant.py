"""Puts one mutant through the cases, each answer judged like a student's.

The mutant runs in a forked child, in which the kit's package is imported anew with the faulty module in it. The child
only answers; its parent judges with the sound kit and stops at the first answer that isn't accepted.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import signal
import struct
import sys
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

import msgspec

from grader.catalogue.kits import kit_of
from grader.judge.decide import decide
from grader.model.judgement import Trial
from grader.model.run import Raised, RunRecord
from grader.model.verdict import Ending, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from grader.model.assignment import Case
    from grader.model.kit import Kit, Telling
    from grader.pipeline.prepare import Prepared
    from grader.prove.mutants import Mutant

_LENGTH = struct.Struct("<I")


class TimedCase(NamedTuple):
    """One case, and the seconds of processor time after which a mutant counts as caught in a loop."""

    prepared: Prepared
    cpu_s: float


class Fate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one mutant."""

    case: str = ""
    """The first case that it fails; empty when it survives them all."""
    verdict: Verdict = Verdict.AC


def judge(prepared: Prepared, record: RunRecord) -> Verdict:
    """Judge one answer with the sound kit."""
    trial = Trial(case=prepared.case, kit=prepared.kit, puzzle=prepared.puzzle, record=record)
    return decide(trial).verdict


def run_mutant(mutant: Mutant, cases: Sequence[TimedCase]) -> Fate:
    """Run the mutant until a case fails it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer_all(mutant, cases, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as answers:
        return _judge_answers(child, answers, cases)


def _judge_answers(child: int, answers: BinaryIO, cases: Sequence[TimedCase]) -> Fate:
    """Judge the answers as they come; a child that ends early failed the case at which it was."""
    for prepared, _ in cases:
        for record in _answers_to_one(answers):
            verdict = judge(prepared, record or _ending_of(child))
            if verdict is not Verdict.AC:
                if record is not None:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                return Fate(case=prepared.case.id, verdict=verdict)
    os.waitpid(child, 0)
    return Fate()


def _answers_to_one(answers: BinaryIO) -> Iterator[RunRecord | None]:
    """Yield the records of one case; None when the child ended instead. An empty message ends a case."""
    while True:
        head = answers.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            yield None
            return
        size = _LENGTH.unpack(head)[0]
        if size == 0:
            return
        yield msgspec.msgpack.decode(answers.read(size), type=RunRecord)


def _ending_of(child: int) -> RunRecord:
    """Return how the child ended."""
    _, status = os.waitpid(child, 0)
    number = os.waitstatus_to_exitcode(status)
    if number == -signal.SIGPROF:
        return RunRecord(ending=Ending.CPU_LIMIT)
    if number < 0:
        return RunRecord(ending=Ending.SIGNALLED, signal=-number)
    return RunRecord(ending=Ending.EXITED, exit_status=number, raised=Raised(type="SystemExit", message=str(number)))


def _answer_all(mutant: Mutant, cases: Sequence[TimedCase], writing: int) -> None:
    """Answer every case as the mutant does, and never come back; memory is bounded by the reader's limit."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        with os.fdopen(writing, "wb") as answers:
            kits: dict[str, Kit] = {}
            _put_in_place(mutant)
            for prepared, cpu_s in cases:
                signal.setitimer(signal.ITIMER_PROF, cpu_s)
                for record in _answer(prepared.case, kits):
                    message = msgspec.msgpack.encode(record)
                    answers.write(_LENGTH.pack(len(message)) + message)
                answers.write(_LENGTH.pack(0))
                answers.flush()
        status = 0
    finally:
        os._exit(status)


def _answer(case: Case, kits: dict[str, Kit]) -> Iterator[RunRecord]:
    """Answer one case as the mutant does; what it raises is an answer too."""
    try:
        if case.kind.name not in kits:
            kits[case.kind.name] = kit_of(case.kind)
        kit = kits[case.kind.name]
        yield from cast("Telling", kit).tell(kit.parse(case.input))
    except Exception as error:  # noqa: BLE001 - a mutant may raise anything
        yield RunRecord(ending=Ending.EXITED, exit_status=1, raised=Raised(type=type(error).__name__, message=""))


def _put_in_place(mutant: Mutant) -> None:
    """Forget the kit's package and let the faulty module be found in place of the sound one."""
    package = mutant.module.partition(".")[0]
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder(mutant))


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the one faulty module."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        del path, target
        is_wanted = fullname == self._mutant.module
        return importlib.util.spec_from_loader(fullname, self, origin=self._mutant.id) if is_wanted else None

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._mutant.code, self._mutant.id, "exec"), module.__dict__)  # noqa: S102 - our own module, with a fault
