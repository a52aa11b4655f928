"""The hunt in a browser: makes a case that failed as small as it can be, one check of one case after the other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.handout.shrink import smallest
from grader.model.assignment import CaseFacts
from grader.pipeline.prepare import Plan
from grader.site.check import Check

if TYPE_CHECKING:
    from grader.intake.entries import Entry
    from grader.model.assignment import Assignment
    from grader.model.result import CaseResult, GradeSheet
    from grader.pipeline.prepare import Prepared
    from grader.sandbox.browser.case import BrowserCase
    from grader.sandbox.browser.course_python import CoursePython

_FACTS = CaseFacts(id="hunt", title="The smallest input that goes wrong", points=0.0)


class Hunting:
    """Asked and told like a check; its last sheet is that of the smallest input."""

    def __init__(
        self, assignment: Assignment, failed: tuple[Prepared, CaseResult], entry: Entry, course: CoursePython
    ) -> None:
        prepared, self._result = failed
        self._search = smallest(replace(prepared, case=replace(prepared.case, facts=_FACTS)), self._result)
        self._assignment, self._entry, self._course = assignment, entry, course
        self._check: Check | None = None
        self._judged: CaseResult | None = None
        self._count = 0
        self.sheet: GradeSheet | None = None
        self.puzzle = ""

    @property
    def case(self) -> BrowserCase:
        assert self._check is not None
        return self._check.case

    @property
    def summary(self) -> str:
        inputs = f"{self._count} smaller {'input' if self._count == 1 else 'inputs'} tried"
        if self.sheet is None:
            return f"No smaller input goes wrong in this way: {self._result.id} is the smallest ({inputs})."
        return f"The smallest input that your program gets wrong, made from {self._result.id} ({inputs})."

    def next(self) -> str:
        """Return what to run next as JSON; empty when nothing smaller is left, or time is up."""
        while self._check is not None or self._try_smaller():
            assert self._check is not None
            if asked := self._check.next():
                return json.dumps({**json.loads(asked), "title": f"input {self._count} of the hunt"})
            self._take(self._check.sheet)
        return ""

    def _try_smaller(self) -> bool:
        try:
            tried = self._search.send(self._judged)
        except StopIteration as end:
            self.puzzle = end.value.text
            return False
        self._count += 1
        plan = Plan(assignment=self._assignment, cases=(tried,), timeouts=1)
        self._check = Check(plan, self._entry, self._course)
        return True

    def _take(self, sheet: GradeSheet) -> None:
        self._check, self._judged = None, sheet.cases[0]
        if self._judged.verdict is self._result.verdict:
            self.sheet = sheet

    def ran(self, facts: str, stdout: bytes, stderr: bytes) -> None:
        """Judge what came of it."""
        assert self._check is not None
        self._check.ran(facts, stdout, stderr)

    def lines(self) -> str:
        """Return nothing: only what is found in the end is told."""
        return "[]"
