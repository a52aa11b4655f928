"""Renders the kill matrix: as a table, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabulate import tabulate

from grader.model.verdict import Verdict
from grader.report.html.templates import fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.matrix import KillMatrix


def text(matrix: KillMatrix) -> str:
    """Lay it out for a terminal: one row per wrong solution, one mark per case."""
    wrong = [solution for solution in matrix.solutions if not solution.is_right]
    rows = [
        (
            solution.name,
            "".join("·" if solution.verdicts[case] is Verdict.AC else "x" for case in matrix.cases),
            " ".join(sorted(set(solution.verdicts.values()) - {Verdict.AC})),
            solution.about[:60],
        )
        for solution in wrong
    ]
    legend = "  ".join(f"{index + 1} {case}" for index, case in enumerate(matrix.cases))
    table = tabulate(rows, headers=("wrong solution", "failed by", "as", "its fault"), disable_numparse=True)
    told = f"x: the case fails the solution; ·: it doesn't. Cases, from the left: {legend}"
    return "\n".join([table, "", told, *weaknesses(matrix)])


def weaknesses(matrix: KillMatrix) -> list[str]:
    """Say what is weak about the catalogue, one line each."""
    return [f"{title}: {name}" for title, names in _weak(matrix) for name in names]


def render(matrix: KillMatrix, others: Sequence[tuple[str, str]] = ()) -> str:
    """Lay it out as a heat map, with the names and addresses of the other assignments' pages."""
    wrong = [solution for solution in matrix.solutions if not solution.is_right]
    kills = {case: sum(s.verdicts[case] is not Verdict.AC for s in wrong) for case in matrix.cases}
    return fill(
        "matrix.html",
        scripts=(),
        matrix=matrix,
        others=others,
        wrong=wrong,
        kills=kills,
        weak=_weak(matrix),
        verdicts=list(Verdict),
    )


def _weak(matrix: KillMatrix) -> list[tuple[str, list[str]]]:
    found = [
        ("no case fails", list(matrix.survivors)),
        ("fails no wrong solution", list(matrix.idle)),
        ("surprise", list(matrix.surprises)),
        (
            "redundant",
            [f"{case} adds nothing: {other} catches the same wrong programs" for case, other in matrix.redundant],
        ),
    ]
    return [(title, names) for title, names in found if names]
