"""Puts one mutant through the cases, each answer judged like a student's.

The mutant runs in a forked child, in which the kit's package is imported anew with the faulty module in it. The child
only answers; the parent judges with the sound kit and stops at the first answer that isn't accepted.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import resource
import signal
import struct
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

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

    from grader.hunt.mutants import Mutant
    from grader.model.assignment import Case
    from grader.pipeline.prepare import Prepared

_MEMORY = 1 << 30
"""Bytes that a mutant may have beside what it was born with."""
_LENGTH = struct.Struct("<I")


class Hurdle(msgspec.Struct, frozen=True, kw_only=True):
    """One case, and the seconds of processor time after which a mutant counts as caught in a loop."""

    prepared: Any
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


def try_mutant(mutant: Mutant, hurdles: Sequence[Hurdle]) -> Fate:
    """Run the mutant until a case fails it."""
    mouth, ear = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(mouth)
        _be_the_mutant(mutant, hurdles, ear)
    os.close(ear)
    with os.fdopen(mouth, "rb") as answers:
        return _listen(child, answers, hurdles)


def _listen(child: int, answers: BinaryIO, hurdles: Sequence[Hurdle]) -> Fate:
    """Judge the answers as they come; a child that ends early failed the case at which it was."""
    for hurdle in hurdles:
        for record in _answers_to_one(answers):
            told = record or _epitaph(child)
            verdict = judge(hurdle.prepared, told)
            if verdict is not Verdict.AC:
                if record is not None:
                    _end(child)
                return Fate(case=hurdle.prepared.case.id, verdict=verdict)
    os.waitpid(child, 0)
    return Fate()


def _answers_to_one(answers: BinaryIO) -> Iterator[RunRecord | None]:
    """Give the records of one case; None when the child ended instead. An empty message ends a case."""
    while True:
        head = answers.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            yield None
            return
        size = _LENGTH.unpack(head)[0]
        if size == 0:
            return
        yield msgspec.msgpack.decode(answers.read(size), type=RunRecord)


def _epitaph(child: int) -> RunRecord:
    """Say how the child ended."""
    _, status = os.waitpid(child, 0)
    number = os.waitstatus_to_exitcode(status)
    if number == -signal.SIGPROF:
        return RunRecord(ending=Ending.CPU_LIMIT)
    if number < 0:
        return RunRecord(ending=Ending.SIGNALLED, signal=-number)
    return RunRecord(ending=Ending.EXITED, exit_status=number, raised=Raised(type="SystemExit", message=str(number)))


def _end(child: int) -> None:
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _be_the_mutant(mutant: Mutant, hurdles: Sequence[Hurdle], ear: int) -> None:
    """Answer every case, and never come back."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        _bound_memory()
        with os.fdopen(ear, "wb") as answers:
            kits: dict[str, Any] = {}
            _graft(mutant)
            for hurdle in hurdles:
                signal.setitimer(signal.ITIMER_PROF, hurdle.cpu_s)
                for record in _tell(hurdle.prepared.case, kits):
                    message = msgspec.msgpack.encode(record)
                    answers.write(_LENGTH.pack(len(message)) + message)
                answers.write(_LENGTH.pack(0))
                answers.flush()
        status = 0
    finally:
        os._exit(status)


def _tell(case: Case, kits: dict[str, Any]) -> Iterator[RunRecord]:
    """Answer one case as the mutant does; what it raises is an answer too."""
    try:
        if case.kind.name not in kits:
            kits[case.kind.name] = kit_of(case.kind)
        kit = kits[case.kind.name]
        yield from kit.tell(kit.parse(case.maze))
    except Exception as error:  # noqa: BLE001 - a mutant may raise anything
        yield RunRecord(ending=Ending.EXITED, exit_status=1, raised=Raised(type=type(error).__name__, message=""))


def _bound_memory() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    pages = os.sysconf("SC_PAGE_SIZE")
    with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123 - a file of the kernel, read once
        now = int(statm.read().split()[0]) * pages
    resource.setrlimit(resource.RLIMIT_AS, (now + _MEMORY, most))


def _graft(mutant: Mutant) -> None:
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
