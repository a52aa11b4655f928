"""Proves a catalogue with wrong solutions: which case fails which of them.

The programs are those of programs.py, `<expected verdict>/<name>/`: right ones (AC) and wrong ones. Every wrong one
must be failed by some case, and every case must fail some wrong one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.intake.collect import collect_one
from grader.model.matrix import KillMatrix, Solution
from grader.model.verdict import Verdict
from grader.pipeline.grade import grade

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from pathlib import Path

    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, GradeSheet
    from grader.pipeline.grade import Grading
    from grader.pipeline.prepare import Plan


def solutions_below(folder: Path) -> tuple[Path, ...]:
    """Return every solution of one assignment: <expected verdict>/<name>."""
    paths = (path for verdict in Verdict for path in (folder / verdict.value).glob("*") if path.is_dir())
    return tuple(sorted(path for path in paths if not path.name.startswith("__")))


def grade_solutions(
    grading: Grading,
    folder: Path,
    *,
    only: Container[str] | None = None,
    seen: Callable[[CaseResult], None] = lambda _: None,
) -> tuple[GradeSheet, ...]:
    """Grade the whole tree, or those with these names; each sheet is named <expected verdict>/<name>."""
    named = ((f"{path.parent.name}/{path.name}", path) for path in solutions_below(folder))
    submissions = (
        msgspec.structs.replace(collect_one(path, grading.plan.assignment), id=name)
        for name, path in named
        if only is None or name in only
    )
    return tuple(sorted(grade(grading, submissions, seen=seen), key=lambda sheet: sheet.submission))


def matrix_of(plan: Plan, folder: Path, sheets: Iterable[GradeSheet]) -> KillMatrix:
    """Lay out the sheets of a tree of solutions."""
    solutions = [_solution(sheet, folder / sheet.submission) for sheet in sheets]
    return build_matrix(
        plan.assignment,
        (*(prepared.case.id for prepared in plan.cases), *(rule.id for rule in plan.rules)),
        solutions,
    )


def build_matrix(assignment: Assignment, cases: tuple[str, ...], solutions: Iterable[Solution]) -> KillMatrix:
    """Find the survivors, the idle and the redundant cases."""
    known = tuple(solutions)
    wrong = [solution for solution in known if not solution.is_right]
    kills = {case: {s.name for s in wrong if s.verdicts[case] not in {Verdict.AC, Verdict.SK}} for case in cases}
    return KillMatrix(
        assignment=assignment.name,
        cases=cases,
        solutions=known,
        survivors=tuple(s.name for s in wrong if all(v is Verdict.AC for v in s.verdicts.values())),
        idle=tuple(case for case in cases if not kills[case]),
        redundant=_redundant(cases, kills),
        surprises=tuple(_surprises(known)),
    )


def _redundant(cases: tuple[str, ...], kills: dict[str, set[str]]) -> tuple[tuple[str, str], ...]:
    """Name each case whose kills another one has too; of two equals only the later is redundant."""
    pairs = []
    for index, case in enumerate(cases):
        for other_index, other in enumerate(cases):
            is_less = kills[case] < kills[other] or (kills[case] == kills[other] and other_index < index)
            if case != other and kills[case] and is_less:
                pairs.append((case, other))
                break
    return tuple(pairs)


def _surprises(solutions: tuple[Solution, ...]) -> Iterable[str]:
    for solution in solutions:
        seen = set(solution.verdicts.values())
        failed = [case for case, verdict in solution.verdicts.items() if verdict is not Verdict.AC]
        if Verdict.JE in seen:
            yield f"{solution.name}: the grader itself failed on {', '.join(failed)}"
        elif solution.is_right and failed:
            yield f"{solution.name} should be right but fails {', '.join(failed)}"
        elif not solution.is_right and failed and seen.isdisjoint(solution.expected.faces):
            yield f"{solution.name} never gets {solution.expected}, but {', '.join(sorted(seen - {Verdict.AC}))}"


def _solution(sheet: GradeSheet, path: Path) -> Solution:
    return Solution(
        name=sheet.submission,
        expected=Verdict(path.parent.name),
        about=_about(path),
        verdicts={result.id: result.verdict for result in sheet.cases},
    )


def _about(path: Path) -> str:
    """Return the first line of the solution, which says what it is or which fault it has."""
    for file in sorted(path.glob("*.py")):
        first = file.read_text("utf-8", "replace").lstrip("\ufeff").splitlines()[:1]
        text = first[0].strip("#\"' ") if first else ""
        if text and not text.startswith(("import", "from", "-*-")):
            return text
    return ""
