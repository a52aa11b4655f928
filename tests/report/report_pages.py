"""Every kind of page that we write, full of what is hard to show."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace
from report_factory import class_of, rich_sheet

from grader.model.matrix import KillMatrix, Solution
from grader.model.similarity import Cluster, Comparison, Likeness, Side, SourceLine
from grader.model.verdict import Audience, Verdict
from grader.report import compare
from grader.report.html import classpage, demopage, matrixpage, page, similarpage
from grader.report.summary import ClassSummary
from grader.report.view import view

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = ("Anne-Marie " + "de la Fontaine " * 12, "מרים אברהם", "🐢🐇 turtle & hare", "<b>bold</b>")
VERDICTS = tuple(verdict for verdict in Verdict if verdict is not Verdict.JE)


def kill_matrix() -> str:
    cases = tuple(f"a-case-with-a-name-{number}" for number in range(33))
    solutions = tuple(
        Solution(
            name=f"WA/{name}",
            expected=Verdict.WA,
            about="its fault",
            verdicts={case: VERDICTS[(row + place) % len(VERDICTS)] for place, case in enumerate(cases)},
        )
        for row, name in enumerate(("short", "one_of_quite_some_length_for_a_folder", *map(str, range(9))))
    )
    matrix = KillMatrix(
        assignment="lefthand",
        cases=cases,
        solutions=solutions,
        survivors=("WA/short",),
        idle=(),
        redundant=((cases[0], cases[1]),),
        surprises=(),
    )
    return matrixpage.render(matrix, [("runner", "kills-runner.html")])


def similar_page() -> str:
    lines = tuple(SourceLine(path="a.py", number=n, text=f"x = {n}" * 30, is_shared=n % 2 == 0) for n in range(1, 9))
    sides = [Side(submission=name, share=0.9, lines=lines) for name in NAMES]
    pairs = tuple(Likeness(first=sides[0], second=side, characters=90) for side in sides[1:])
    return similarpage.render(
        Comparison(
            assignment="lefthand",
            threshold=0.7,
            compared=NAMES,
            left_out={"late": "no Python file"},
            pairs=pairs,
            clusters=(Cluster(members=NAMES, pairs=3, least=0.7, most=0.9),),
            old=3,
        )
    )


def class_page() -> str:
    summary = ClassSummary()
    for graded in class_of(12, cases=33):
        summary.add(view(graded, Audience.STAFF))
    return classpage.render(summary)


def compared() -> str:
    cases = tuple(compare.CaseChange(id=f"case-{n}", before=Verdict.AC, after=Verdict.RTE) for n in range(33))
    changes = tuple(compare.Change(submission=name, before=30, after=2.25, cases=cases) for name in NAMES)
    return compare.page(
        compare.Comparison(
            assignment="lefthand",
            rose=changes[:1],
            fell=changes[1:],
            other=(),
            added=NAMES,
            removed=(),
            unchanged=1,
            cases={"case-1": (3, 4)},
        )
    )


def demo_page() -> str:
    graded = demopage.Graded(
        name="lefthand",
        title="The left-hand rule",
        about="Walk with `left`.",
        submissions=9,
        cases=26,
        full=2,
        example=NAMES[0],
        folder="x",
    )
    return demopage.render([graded, replace(graded, name="runner", title="The Maze Runner")])


PAGES: dict[str, Callable[[], str]] = {
    "submission": cache(lambda: page.render(view(rich_sheet(NAMES[0]), Audience.STAFF))),
    "class": cache(class_page),
    "kill matrix": kill_matrix,
    "similarity": similar_page,
    "comparison": compared,
    "demo": demo_page,
}
