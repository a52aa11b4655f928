"""Proves a catalogue with mutants of the kit's own solvers."""

from __future__ import annotations

import importlib.util
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.kits import solvers_of
from grader.engines.cores import cores
from grader.errors import CatalogueError, Fault, GraderError, UsageError
from grader.model.kit import Telling
from grader.model.verdict import Verdict
from grader.pipeline.prepare import prepare
from grader.prove.mutants import Mutant, mutants
from grader.prove.run_mutant import Fate, TimedCase, judge, run_mutant
from grader.readers.job import Failed, Job, ask
from grader.readers.pool import Readers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.assignment import Assignment
    from grader.pipeline.prepare import Prepared
    from grader.prove.known_equivalent import Mark, Marks

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
    removed: tuple[str, ...]
    added: tuple[str, ...]
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
    spent = [(_answer(prepared), prepared) for prepared in prepare(assignment).cases]
    ordered = sorted(spent, key=lambda pair: pair[0])
    return tuple(TimedCase(prepared, max(_LEAST_S, _SLOWER * cpu_s)) for cpu_s, prepared in ordered)


def _answer(prepared: Prepared) -> float:
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
    reasons = {mutant.id: marks.reason_for(mutant) for mutant in alive}
    survivors = [_survivor(mutant, reasons[mutant.id]) for mutant in alive]
    return Mutation(
        assignment=assignment.name,
        mutants=len(tried),
        killed={mutant.id: f"{fate.case} {fate.verdict}" for mutant, fate in tried if fate.case},
        survivors=tuple(each for each in survivors if not each.reason),
        equivalent=tuple(each for each in survivors if each.reason),
        stale=tuple(_told(mark) for mark in marks.unused(alive)),
    )


def _survivor(mutant: Mutant, reason: str) -> Survivor:
    return Survivor(
        id=mutant.id,
        about=mutant.about,
        source=mutant.source,
        removed=mutant.removed,
        added=mutant.added,
        reason=reason,
    )


def _told(mark: Mark) -> str:
    return f"{mark.mutant}: {mark.source}"
