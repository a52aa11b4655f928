"""Puts any puzzle to a submission, as if it were a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.assignment import Case, Expect
from grader.pipeline.assess import assess
from grader.pipeline.prepare import prepare_case, request_for

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, Kind
    from grader.model.result import CaseResult
    from grader.model.run import Limits
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission


class Questioner:
    """Asks one submission about puzzles of one kind, in one warm sandbox."""

    def __init__(self, assignment: Assignment, kind: Kind, kit: Any, *, sandbox: Sandbox) -> None:
        self._assignment = assignment
        self._kind = kind
        self._kit = kit
        self._sandbox = sandbox

    def ask(self, submission: Submission, puzzle: Any, limits: Limits) -> CaseResult:
        """Run the submission on the puzzle and judge it by the reference."""
        prepared = prepare_case(msgspec.structs.replace(self.case(puzzle), limits=limits), self._kit)
        record = self._sandbox.run(request_for(prepared, submission, self._assignment))
        return assess(prepared, record, self._assignment.policy.cost)

    def case(self, puzzle: Any) -> Case:
        """Make the case; its empty expectation has the judge ask the kit."""
        text = self._kit.write(puzzle)
        return Case(
            id="found",
            title="Found by grader hunt",
            kind=self._kind,
            maze=text,
            raw=text.encode(),
            limits=self._assignment.limits,
            expect=Expect(),
            options=self._kind.options,
        )
