"""Proves a catalogue with mutants of the kit's own solvers."""

from __future__ import annotations

import importlib.util
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.catalogue.kits import solvers_of
from grader.catalogue.load import load
from grader.errors import CatalogueError, Fault, UsageError
from grader.hunt.mutants import Mutant, mutants
from grader.model.kit import Telling
from grader.model.verdict import Verdict
from grader.pipeline.ordeal import Fate, Hurdle, judge, try_mutant
from grader.pipeline.prepare import prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.assignment import Assignment
    from grader.pipeline.equivalent import Mark, Marks
    from grader.pipeline.prepare import Prepared

_SLOWER = 20
"""How many times as long as the sound solver a mutant may take."""
_LEAST_S = 1.0
_WORKERS = 2


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


class Catalogue(msgspec.Struct, frozen=True, kw_only=True):
    """Where a worker finds the assignment, and how long each case may take, cheapest first."""

    folder: Path
    name: str
    cpu_s: dict[str, float]


def run_mutants(folder: Path, assignment: Assignment, marks: Marks, *, seen: Callable[[int, int], None]) -> Mutation:
    """Try every mutant on the catalogue; `seen` hears how many of how many are done."""
    everyone = tuple(all_mutants(assignment))
    catalogue = Catalogue(folder=folder, name=assignment.name, cpu_s=_patience(assignment))
    fates: list[Fate] = []
    for fate in _fates(catalogue, everyone):
        fates.append(fate)
        seen(len(fates), len(everyone))
    return _sum_up(assignment, list(zip(everyone, fates, strict=True)), marks)


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


def _patience(assignment: Assignment) -> dict[str, float]:
    """Have the sound kit answer every case, and give mutants a multiple of its time."""
    plan = prepare(assignment)
    spent = {prepared.case.id: _answer(prepared) for prepared in plan.cases}
    return {case: max(_LEAST_S, _SLOWER * cpu_s) for case, cpu_s in sorted(spent.items(), key=lambda item: item[1])}


def _answer(prepared: Prepared) -> float:
    """Give the seconds that the sound kit needs; it must be accepted, or nothing is proved."""
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


def _fates(catalogue: Catalogue, everyone: tuple[Mutant, ...]) -> Iterator[Fate]:
    """Try the mutants in two processes; each of these forks one child per mutant."""
    spawn = multiprocessing.get_context("spawn")  # the parent may have threads, which a fork would lose
    with ProcessPoolExecutor(_WORKERS, mp_context=spawn, initializer=_open, initargs=(catalogue,)) as pool:
        try:
            yield from pool.map(_try_one, everyone)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_hurdles: tuple[Hurdle, ...] = ()


def _open(catalogue: Catalogue) -> None:
    """Load the catalogue once per worker."""
    global _hurdles  # noqa: PLW0603 - a worker's whole state, set once at its birth
    (assignment,) = load(catalogue.folder, names=(catalogue.name,), check_mazes=False)
    prepared = {each.case.id: each for each in prepare(assignment).cases}
    _hurdles = tuple(Hurdle(prepared=prepared[case], cpu_s=cpu_s) for case, cpu_s in catalogue.cpu_s.items())


def _try_one(mutant: Mutant) -> Fate:
    return try_mutant(mutant, _hurdles)


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
