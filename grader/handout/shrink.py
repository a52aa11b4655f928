"""The hunt inside the students' kit: makes a visible case that fails as small as it can be.

It needs the assignment's own solver, so it is there only where the course releases it (WITHHELD), lets anyone hunt,
and has a kit with `smaller` and `write`. Unlike `grader hunt` it makes up no puzzles, for which it would need more
than Python.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import msgspec

from grader.handout.in_process import grading_here
from grader.model.assignment import HuntBy
from grader.model.kit import Shrinking, WithheldError, expectation
from grader.model.result import CaseResult
from grader.model.verdict import Verdict
from grader.pipeline.grade import grade
from grader.pipeline.prepare import Plan, Prepared, prepare_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.handout.contents import Contents
    from grader.model.result import GradeSheet
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission

_SECONDS = 30.0
KEPT = "a hunt needs the course's own solver, which isn't in this kit"


class Shrunk(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest input that was found, with the result on it."""

    text: str
    result: CaseResult
    tried: int


Search = Generator[Prepared, CaseResult | None, Shrunk]


def may_hunt(kit: Contents) -> bool:
    """Tell whether some case could be made smaller here."""
    return kit.assignment.hunt is HuntBy.ANYONE and any(_is_released(prepared) for prepared in kit.cases)


def shrink(kit: Contents, sheet: GradeSheet, submission: Submission, sandbox: Sandbox) -> Shrunk | None:
    """Make the first failed case smaller while it fails in the same way; None when none failed that can be."""
    found = failed(kit.cases, sheet)
    if found is None:
        return None
    search, judged = smallest(*found), None
    while True:
        try:
            tried = search.send(judged)
        except StopIteration as end:
            shrunk: Shrunk = end.value
            return shrunk
        plan = Plan(assignment=kit.assignment, cases=(tried,))
        judged = next(grade(grading_here(plan, sandbox), [submission])).cases[0]


def failed(cases: tuple[Prepared, ...], sheet: GradeSheet) -> tuple[Prepared, CaseResult] | None:
    """Return the first case that failed and can be made smaller."""
    by_id = {prepared.case.id: prepared for prepared in cases}
    wrong = [result for result in sheet.cases if result.verdict not in {Verdict.AC, Verdict.SK, Verdict.JE}]
    pairs = ((by_id[result.id], result) for result in wrong if result.id in by_id)
    return next((pair for pair in pairs if _is_released(pair[0])), None)


def smallest(prepared: Prepared, result: CaseResult) -> Search:
    """Yield each smaller case that is to be run, be sent its result, and return the smallest that fails alike."""
    ends = time.monotonic() + _SECONDS
    tried: set[str] = set()
    waiting = _smaller(prepared)
    while (case := next(waiting, None)) is not None and time.monotonic() < ends:
        if case.case.input in tried:
            continue
        tried.add(case.case.input)
        judged = yield case
        if judged is not None and judged.verdict is result.verdict:
            prepared, result, waiting = case, judged, _smaller(case)
    return Shrunk(text=prepared.case.input, result=result, tried=len(tried))


def _smaller(prepared: Prepared) -> Iterator[Prepared]:
    kit: Any = prepared.kit
    for puzzle in kit.smaller(prepared.puzzle):
        text = kit.write(puzzle)
        yield prepare_case(msgspec.structs.replace(prepared.case, input=text, raw=text.encode(), expect=None), kit)


def _is_released(prepared: Prepared) -> bool:
    """Try the solver on a puzzle that it wasn't asked about when the kit was packed."""
    kit: Any = prepared.kit
    if not isinstance(kit, Shrinking) or not hasattr(kit, "write"):
        return False
    try:
        for puzzle in kit.smaller(prepared.puzzle):
            expectation(prepared.kit, puzzle)
            return True
    except WithheldError:
        return False
    return False
