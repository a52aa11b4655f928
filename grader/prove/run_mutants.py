"""Proves a catalogue with mutants of the kit's own solvers.

A file of marks names those that are equivalent to the sound solver, each with a reason:

    format: 1
    marks:
      - mutant: reference.alice.solve:102:13:swap-1
        source: the line as it stands in the module
        reason: why no maze can tell the two apart
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from contextlib import closing
from multiprocessing import Pipe
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import msgspec

from grader.catalogue.kits import kit_of, solvers_of
from grader.engines.worker import cores
from grader.errors import CatalogueError, Fault, GraderError, UsageError
from grader.judge.decide import decide
from grader.model.judgement import Trial
from grader.model.kit import Telling
from grader.model.run import Raised, RunRecord
from grader.model.verdict import Ending, Verdict
from grader.pipeline.prepare import prepare
from grader.prove.mutants import Mutant, mutants
from grader.readers.job import Failed, Job, ask
from grader.readers.pool import Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from multiprocessing.connection import Connection
    from types import ModuleType

    from grader.model.assignment import Assignment, Case
    from grader.model.kit import Kit
    from grader.pipeline.prepare import Prepared


FORMAT = 1
_SLOWER = 20
"""How many times as long as the sound solver a mutant may take."""
_LEAST_S = 1.0
_MOST_S = 600.0
"""Seconds for judging all answers of one mutant: far more than any catalogue takes."""


class Survivor(msgspec.Struct, frozen=True, kw_only=True):
    """A mutant that no case fails."""

    id: str
    about: str
    source: str
    reason: str = ""
    """Why it is equivalent to the sound solver; empty when nobody says so."""


class Mutation(msgspec.Struct, frozen=True, kw_only=True):
    """How strong a catalogue is against mutants."""

    format: int = 1
    assignment: str
    mutants: int
    killed: dict[str, str]
    """Mutant → `case verdict` that failed it first."""
    survivors: tuple[Survivor, ...]
    """Those that nobody calls equivalent."""
    equivalent: tuple[Survivor, ...]
    stale: tuple[str, ...]
    """Marks that fit no mutant, or one that a case does kill."""

    @property
    def is_sound(self) -> bool:
        return not (self.survivors or self.stale)


def run_mutants(
    assignment: Assignment, marks: Marks, *, seen: Callable[[int, int], None] = lambda _done, _total: None
) -> Mutation:
    """Try every mutant on the catalogue, in readers; `seen` hears how many of how many are done."""
    everyone = tuple(all_mutants(assignment))
    return _sum_up(assignment, try_mutants(assignment, everyone, seen=seen), marks)


def try_mutants(
    assignment: Assignment,
    everyone: tuple[Mutant, ...],
    *,
    seen: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[tuple[Mutant, Fate]]:
    """Find the first case of the assignment that fails each of these mutants."""
    cases = _timed(assignment)
    trial: Job[Mutant, Fate] = Job(lambda mutant: run_mutant(mutant, cases), takes=Mutant, gives=Fate, cpu_s=_MOST_S)
    fates: dict[int, Fate] = {}
    with closing(Readers([trial], count=cores())) as readers:
        for number, fate in readers.map((number, ask(trial, mutant)) for number, mutant in enumerate(everyone)):
            if isinstance(fate, Failed):
                raise GraderError(f"the mutant {everyone[number].id} can't be tried ({fate.cause}): {fate.detail}")
            fates[number] = fate
            seen(len(fates), len(everyone))
    return [(mutant, fates[number]) for number, mutant in enumerate(everyone)]


def all_mutants(assignment: Assignment) -> Iterator[Mutant]:
    """Make the mutants of every module that a kit of the assignment solves with."""
    named = dict.fromkeys(solver for kind in assignment.kinds.values() for solver in solvers_of(kind))
    if not named:
        raise UsageError(f"the kits of {assignment.name} name no SOLVERS", hint="see grader/model/kit.py, Telling")
    chosen: dict[str, list[str]] = {}
    for solver in named:
        module, _, names = solver.partition(":")
        chosen.setdefault(module, []).extend(names.split(","))
    for module, parts in chosen.items():
        wanted: frozenset[str] = frozenset() if "" in parts else frozenset(parts)
        yield from mutants(_source(module), module, wanted)


def _source(module: str) -> str:
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        raise UsageError(f"there is no solver {module}", hint="look at the kit's SOLVERS")
    return Path(spec.origin).read_text("utf-8")


def _timed(assignment: Assignment) -> tuple[TimedCase, ...]:
    """Have the sound kit answer every case, and give mutants a multiple of its time; quick cases come first."""
    spent = [(_time_of(prepared), prepared) for prepared in prepare(assignment).cases]
    ordered = sorted(spent, key=lambda pair: pair[0])
    return tuple(TimedCase(prepared, max(_LEAST_S, _SLOWER * cpu_s)) for cpu_s, prepared in ordered)


def _time_of(prepared: Prepared) -> float:
    """Return the seconds that the sound kit needs; it must be accepted, or nothing is proved."""
    case = prepared.case
    if not isinstance(prepared.kit, Telling):
        raise UsageError(f"the kit {case.kind.kit} can't answer as a program", hint="give it `tell`")
    begun = time.process_time()
    records = tuple(prepared.kit.tell(prepared.puzzle))
    spent = time.process_time() - begun
    if any(judge(prepared, record) is not Verdict.AC for record in records):
        message = f"the kit's own answer to {case.id} is not accepted"
        raise CatalogueError([Fault(path=case.path, line=case.line, message=message)])
    return spent


def _sum_up(assignment: Assignment, tried: list[tuple[Mutant, Fate]], marks: Marks) -> Mutation:
    alive = [mutant for mutant, fate in tried if not fate.case]
    survivors = [
        Survivor(id=each.id, about=each.about, source=each.source, reason=marks.reason_for(each)) for each in alive
    ]
    return Mutation(
        assignment=assignment.name,
        mutants=len(tried),
        killed={mutant.id: f"{fate.case} {fate.verdict}" for mutant, fate in tried if fate.case},
        survivors=tuple(each for each in survivors if not each.reason),
        equivalent=tuple(each for each in survivors if each.reason),
        stale=tuple(f"{mark.mutant}: {mark.source}" for mark in marks.unused(alive)),
    )


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
    reading, writing = Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        reading.close()
        _answer_all(mutant, cases, writing)
    writing.close()
    with reading:
        return _judge_answers(child, reading, cases)


def _judge_answers(child: int, answers: Connection, cases: Sequence[TimedCase]) -> Fate:
    """Judge the answers as they come; a child that ends early failed the case at which it was."""
    for prepared, _ in cases:
        try:
            while message := answers.recv_bytes():
                verdict = judge(prepared, msgspec.msgpack.decode(message, type=RunRecord))
                if verdict is not Verdict.AC:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    return Fate(case=prepared.case.id, verdict=verdict)
        except EOFError:
            return Fate(case=prepared.case.id, verdict=judge(prepared, _ending_of(child)))
    os.waitpid(child, 0)
    return Fate()


def _ending_of(child: int) -> RunRecord:
    """Return how the child ended."""
    _, status = os.waitpid(child, 0)
    number = os.waitstatus_to_exitcode(status)
    if number == -signal.SIGPROF:
        return RunRecord(ending=Ending.CPU_LIMIT)
    if number < 0:
        return RunRecord(ending=Ending.SIGNALLED, signal=-number)
    return RunRecord(ending=Ending.EXITED, exit_status=number, raised=Raised(type="SystemExit", message=str(number)))


def _answer_all(mutant: Mutant, cases: Sequence[TimedCase], answers: Connection) -> None:
    """Answer every case as the mutant does, each ended by an empty message, and never come back."""
    status = 1
    try:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        kits: dict[str, Kit] = {}
        _put_in_place(mutant)
        for prepared, cpu_s in cases:
            signal.setitimer(signal.ITIMER_PROF, cpu_s)
            for record in _answer(prepared.case, kits):
                answers.send_bytes(msgspec.msgpack.encode(record))
            answers.send_bytes(b"")
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


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One mutant that no puzzle can tell from the sound solver."""

    mutant: str
    source: str
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        """Tell whether it means this mutant; lines above may have come or gone since it was written."""
        module, _, column, operator = self.mutant.split(":")
        same_place = (module, int(column), operator) == (mutant.module, mutant.column, mutant.operator)
        return same_place and self.source == mutant.source


class Marks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that is marked for one assignment."""

    format: int = FORMAT
    marks: tuple[Mark, ...] = ()

    def reason_for(self, mutant: Mutant) -> str:
        return next((mark.reason for mark in self.marks if mark.fits(mutant)), "")

    def unused(self, alive: Iterable[Mutant]) -> Iterator[Mark]:
        """Yield the marks that fit no surviving mutant."""
        survivors = tuple(alive)
        return (mark for mark in self.marks if not any(mark.fits(mutant) for mutant in survivors))


def read_marks(paths: Iterable[Path]) -> Marks:
    """Read the files that are there, one after the other; CatalogueError when one is wrong."""
    marks: list[Mark] = []
    for path in paths:
        if path.is_file():
            marks += _read(path).marks
    return Marks(marks=tuple(marks))


def _read(path: Path) -> Marks:
    try:
        read = msgspec.yaml.decode(path.read_bytes(), type=Marks)
    except msgspec.MsgspecError as error:
        raise CatalogueError(
            [Fault(path=str(path), message=str(error), hint="see grader/prove/run_mutants.py")]
        ) from error
    bad = [mark.mutant for mark in read.marks if len(mark.mutant.split(":")) != 4 or not mark.reason]
    if bad or read.format != FORMAT:
        message = f"{bad[0]} is no module:line:column:operator with a reason" if bad else f"format {FORMAT} is known"
        raise CatalogueError([Fault(path=str(path), message=message)])
    return read
