"""Finds a fresh hidden set that is as strong as the shipped one.

    shapes of the kits ─▶ candidates ─▶ wrong solutions still uncaught ─▶ the one that catches most, again and again
                                    └─▶ mutants still uncaught         ─▶ the same
                                    └─▶ fill up to the shipped number, kind by kind ─▶ proof: the whole tree

What the shipped hidden set catches, the new one must catch; it has as many cases of each kind, and no more.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from grader.catalogue.kits import fresh_text, kit_of, solvers_of
from grader.errors import GraderError, UsageError
from grader.model.assignment import Case, CaseFacts
from grader.model.dice import Dice
from grader.model.kit import Generating
from grader.model.matrix import KillMatrix, Solution
from grader.model.verdict import Verdict, Visibility
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.matrix import grade_solutions, matrix_of, solutions_below
from grader.prove.run_mutants import all_mutants, try_mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from grader.model.assignment import Assignment
    from grader.pipeline.grade import Grading
    from grader.pipeline.prepare import Plan
    from grader.prove.mutants import Mutant

    OpenGrading = Callable[[Plan], AbstractContextManager[Grading]]

_BATCHES = 24
"""Batches of candidates after which a solution that none of them catches is given up."""
_FEW = 3
_OUTSIDE = frozenset({Verdict.AC, Verdict.SK, Verdict.JE})
"""Verdicts that prove nothing against a solution: skipped cases were not tried."""


class Fresh(msgspec.Struct, frozen=True, kw_only=True):
    """One case of the new set."""

    case: Case
    shape: str
    catches: int
    """Wrong solutions and mutants that no case chosen before it caught."""
    difficulty: dict[str, float]


class Renewal(msgspec.Struct, frozen=True, kw_only=True):
    """The new hidden set and its proof."""

    cases: tuple[Fresh, ...]
    matrix: KillMatrix
    """The whole tree of solutions on the new set."""
    mutants: int
    """Mutants that the new set fails."""
    spared: tuple[str, ...]
    """Wrong solutions and mutants that neither the new set nor the shipped hidden one fails."""


class Renewer:
    """One search; `open_grading` opens what runs a plan."""

    def __init__(self, assignment: Assignment, tree: Path, seed: str, open_grading: OpenGrading) -> None:
        self.shipped = tuple(case for case in assignment.cases if case.facts.visibility is Visibility.HIDDEN)
        if not self.shipped:
            raise UsageError(f"{assignment.name} has no hidden case to renew")
        self.assignment = assignment
        self.tree = tree
        self.seed = seed
        self.open_grading = open_grading
        self.kits = {kind: _generating(case) for case in self.shipped for kind in [case.kind.name]}
        self.quota = Counter(case.kind.name for case in self.shipped)
        self.chosen: list[tuple[Case, str, int]] = []
        self.spare: list[tuple[Case, str]] = []
        """Candidates that weren't needed so far."""

    def renew(self, tell: Callable[[str], None] = lambda _: None) -> Renewal:
        """Search, fill up, prove."""
        spared = self._catch_solutions(tell)
        caught, spared_mutants = self._catch_mutants(tell)
        self._fill_up()
        tell(f"proof: every solution on the {len(self.chosen)} new cases")
        matrix = self._prove({*spared})
        cases = tuple(self._finished(number, *each) for number, each in enumerate(self.chosen))
        return Renewal(cases=cases, matrix=matrix, mutants=caught, spared=(*spared, *spared_mutants))

    def candidates(self, batch: int) -> Iterator[tuple[Case, str]]:
        """Yield one case of every shape, of the kinds of which some are still wanted."""
        for kind, kit in self.kits.items():
            pattern = next(case for case in self.shipped if case.kind.name == kind)
            for shape, told in kit.shapes().items():
                if self.quota[kind] > 0:
                    text = fresh_text(kit, Dice(f"{self.seed}/{kind}/{shape}/{batch}"), shape)
                    facts = CaseFacts(
                        id=f"{kind}-{shape}-{batch}",
                        title=told.title,
                        hint=told.hint,
                        tags=(shape,),
                        visibility=Visibility.HIDDEN,
                    )
                    limits = replace(self.assignment.limits, **told.limits)
                    case = replace(pattern, facts=facts, input=text, raw=text.encode(), expect=None, limits=limits)
                    yield replace(case, beside=(), after=(), path="", line=0), shape

    def _catch_solutions(self, tell: Callable[[str], None]) -> tuple[str, ...]:
        """Choose cases until every wrong solution is caught; return those that the shipped set spares as well."""
        names = [f"{path.parent.name}/{path.name}" for path in solutions_below(self.tree)]
        uncaught = {name for name in names if not name.startswith((f"{Verdict.AC.value}/", f"{Verdict.PV.value}/"))}
        for batch in range(_BATCHES):
            pool = list(self.candidates(batch))
            if not uncaught or not pool:
                break
            tell(f"batch {batch + 1}: {_named(uncaught)} on {len(pool)} new cases")
            self._choose(pool, self._failed([case for case, _ in pool], uncaught), uncaught)
        if uncaught:
            self._refuse_weaker(self._failed(self.shipped, uncaught))
        return tuple(sorted(uncaught))

    def _catch_mutants(self, tell: Callable[[str], None]) -> tuple[int, tuple[str, ...]]:
        """Choose cases until every mutant is caught that the shipped set catches; count them, name the others."""
        if not any(solvers_of(kind) for kind in self.assignment.kinds.values()):
            return 0, ()
        everyone = tuple(all_mutants(self.assignment))
        tell(f"{len(everyone)} mutants on {len(self.chosen)} new cases")
        alive = self._alive([case for case, _, _ in self.chosen], everyone)
        spared = {mutant.id for mutant in self._alive(self.shipped, alive)}
        wanted = tuple(mutant for mutant in alive if mutant.id not in spared)
        for batch in range(_BATCHES, 2 * _BATCHES):
            pool = list(self.candidates(batch))
            if not wanted or not pool:
                break
            tell(f"batch {batch + 1}: {len(wanted)} mutants on {len(pool)} new cases")
            wanted = self._choose_for_mutants(pool, wanted)
        if wanted:
            raise GraderError(_weaker(mutant.id for mutant in wanted), hint="try another --seed")
        return len(everyone) - len(spared), tuple(sorted(spared))

    def _choose(self, pool: list[tuple[Case, str]], failed: dict[str, set[str]], uncaught: set[str]) -> None:
        """Take the candidate that catches most of what is uncaught, as long as one catches anything."""
        while uncaught:
            left = [(case, shape) for case, shape in pool if self.quota[case.kind.name] > 0]
            best = max(left, key=lambda each: len(failed[each[0].id] & uncaught), default=None)
            if best is None or not failed[best[0].id] & uncaught:
                break
            self._take(best, len(failed[best[0].id] & uncaught))
            uncaught -= failed[best[0].id]
            pool.remove(best)
        self.spare += pool

    def _choose_for_mutants(self, pool: list[tuple[Case, str]], wanted: tuple[Mutant, ...]) -> tuple[Mutant, ...]:
        """Take candidates that catch mutants; each try tells only the first that does."""
        while wanted and pool:
            tried = try_mutants(replace(self.assignment, cases=tuple(case for case, _ in pool)), wanted)
            firsts = Counter(fate.case for _, fate in tried if fate.case)
            if not firsts:
                break
            name, count = firsts.most_common(1)[0]
            best = next(each for each in pool if each[0].id == name)
            pool.remove(best)
            if self.quota[best[0].kind.name] > 0:
                self._take(best, count)
                wanted = self._alive([best[0]], wanted)
        self.spare += pool
        return wanted

    def _take(self, candidate: tuple[Case, str], catches: int) -> None:
        self.quota[candidate[0].kind.name] -= 1
        self.chosen.append((*candidate, catches))

    def _fill_up(self) -> None:
        """Bring every kind to the shipped number, with the shapes that are rarest so far."""
        for kind in self.kits:
            while self.quota[kind] > 0:
                used = Counter(shape for case, shape, _ in self.chosen if case.kind.name == kind)
                self.spare = self.spare or list(self.candidates(2 * _BATCHES + self.quota[kind]))
                left = [each for each in self.spare if each[0].kind.name == kind]
                if not left:
                    self.spare += self.candidates(2 * _BATCHES + self.quota[kind])
                    continue
                rarest = min(left, key=lambda each: used[each[1]])
                self.spare.remove(rarest)
                self._take(rarest, 0)

    def _failed(self, cases: Iterable[Case], names: set[str]) -> dict[str, set[str]]:
        """Run these solutions; return which of them each case fails."""
        plan = prepare(replace(self.assignment, cases=tuple(cases), rules=()))
        with self.open_grading(plan) as grading:
            sheets = grade_solutions(grading, self.tree, only=names)
        failed: dict[str, set[str]] = {prepared.case.id: set() for prepared in plan.cases}
        for sheet in sheets:
            for result in sheet.cases:
                if result.verdict not in _OUTSIDE:
                    failed[result.id].add(sheet.submission)
        return failed

    def _alive(self, cases: Iterable[Case], mutants: tuple[Mutant, ...]) -> tuple[Mutant, ...]:
        if not mutants:
            return ()
        tried = try_mutants(replace(self.assignment, cases=tuple(cases)), mutants)
        return tuple(mutant for mutant, fate in tried if not fate.case)

    def _refuse_weaker(self, failed: dict[str, set[str]]) -> None:
        if missed := sorted(set().union(*failed.values())):
            raise GraderError(_weaker(missed), hint="try another --seed")

    def _prove(self, spared: set[str]) -> KillMatrix:
        """Grade the whole tree on the new set; right solutions must pass, wrong ones fail."""
        cases = tuple(case for case, _, _ in self.chosen)
        plan = prepare(replace(self.assignment, cases=cases, rules=()), timeouts=ALL_CASES)
        with self.open_grading(plan) as grading:
            matrix = matrix_of(plan, self.tree, grade_solutions(grading, self.tree))
        refused = [_refused(solution) for solution in matrix.solutions if solution.is_right and _refused(solution)]
        if refused:
            raise GraderError(f"right solutions fail on the new cases: {'; '.join(refused)}", hint="raise the limits")
        if missed := set(matrix.survivors) - spared:
            raise GraderError(_weaker(sorted(missed)), hint="try another --seed")
        return matrix

    def _finished(self, number: int, case: Case, shape: str, catches: int) -> Fresh:
        """Give the case its name, and the points and partial credit of a shipped one of its kind."""
        before = sum(other.kind.name == case.kind.name for other, _, _ in self.chosen[:number])
        pattern = [each for each in self.shipped if each.kind.name == case.kind.name][before]
        facts = replace(case.facts, id=f"{shape}-{number + 1}", points=pattern.facts.points)
        kit = self.kits[case.kind.name]
        measure: Any = getattr(kit, "difficulty", lambda _: {})
        difficulty = measure(kit_of(case.kind).parse(case.input))
        return Fresh(case=replace(case, facts=facts), shape=shape, catches=catches, difficulty=difficulty)


def _generating(case: Case) -> Generating:
    kit = kit_of(case.kind)
    if not isinstance(kit, Generating):
        raise UsageError(f"the kit {case.kind.kit} makes no puzzles", hint="see Generating in grader/model/kit.py")
    return kit


def _named(uncaught: set[str]) -> str:
    """Count the solutions, and name them when they are few."""
    return f"{len(uncaught)} wrong solutions" if len(uncaught) > _FEW else " and ".join(sorted(uncaught))


def _weaker(names: Iterable[str]) -> str:
    return f"the new set would be weaker than the shipped one; it misses {', '.join(names)}"


def _refused(solution: Solution) -> str:
    failed = [f"{case} {verdict}" for case, verdict in solution.verdicts.items() if verdict is not Verdict.AC]
    return f"{solution.name} ({', '.join(failed)})" if failed else ""
