"""The hunt inside the students' kit: makes a visible case that fails as small as it can be.

It needs the assignment's own solver, so it is there only where the course releases it (WITHHELD), lets anyone hunt,
and has a kit with `smaller` and `write`. Unlike `grader hunt` it makes up no puzzles, for which it would need more
than Python.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import msgspec

from grader.handout.in_process import grading_here
from grader.model.assignment import HuntBy
from grader.model.kit import Shrinking, WithheldError, expectation
from grader.model.result import CaseResult
from grader.model.verdict import Verdict
from grader.pipeline.grade import grade
from grader.pipeline.prepare import Plan, prepare_case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.handout.contents import Contents
    from grader.model.result import GradeSheet
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Prepared

_SECONDS = 30.0
KEPT = "a hunt needs the course's own solver, which isn't in this kit"


class Shrunk(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest input that was found, with the result on it."""

    text: str
    result: CaseResult
    tried: int


def may_hunt(kit: Contents) -> bool:
    """Tell whether some case could be made smaller here."""
    return kit.assignment.hunt is HuntBy.ANYONE and any(_is_released(prepared) for prepared in kit.cases)


def shrink(kit: Contents, sheet: GradeSheet, submission: Submission, sandbox: Sandbox) -> Shrunk | None:
    """Make the first failed case smaller while it fails in the same way; None when none failed that can be."""
    by_id = {prepared.case.id: prepared for prepared in kit.cases}
    failed = [result for result in sheet.cases if result.verdict not in {Verdict.AC, Verdict.SK, Verdict.JE}]
    found = [result for result in failed if result.id in by_id and _is_released(by_id[result.id])]
    return _Shrinking(kit, submission, sandbox).shrink(by_id[found[0].id], found[0]) if found else None


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


class _Shrinking:
    def __init__(self, kit: Contents, submission: Submission, sandbox: Sandbox) -> None:
        self._assignment = kit.assignment
        self._submission = submission
        self._sandbox = sandbox
        self._tried: set[str] = set()
        self._ends = time.monotonic() + _SECONDS

    def shrink(self, prepared: Prepared, result: CaseResult) -> Shrunk:
        while (smaller := next(self._failing(prepared, result.verdict), None)) is not None:
            prepared, result = smaller
        return Shrunk(text=prepared.case.input, result=result, tried=len(self._tried))

    def _failing(self, prepared: Prepared, verdict: Verdict) -> Iterator[tuple[Prepared, CaseResult]]:
        kit: Any = prepared.kit
        for puzzle in kit.smaller(prepared.puzzle):
            text = kit.write(puzzle)
            if text in self._tried or time.monotonic() > self._ends:
                continue
            self._tried.add(text)
            case = msgspec.structs.replace(prepared.case, input=text, raw=text.encode(), expect=None)
            tried = prepare_case(case, kit)
            plan = Plan(assignment=self._assignment, cases=(tried,))
            found = next(grade(grading_here(plan, self._sandbox), [self._submission])).cases[0]
            if found.verdict is verdict:
                yield tried, found
