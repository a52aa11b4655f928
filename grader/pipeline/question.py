"""Puts any puzzle to a submission, as if it were a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.assignment import Case, Expect
from grader.pipeline.assess import assess, verdict_of
from grader.pipeline.prepare import prepare_case, request_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.assignment import Assignment, Kind
    from grader.model.result import CaseResult
    from grader.model.run import Limits, RunRecord
    from grader.model.seams import Sandbox
    from grader.model.submission import Submission
    from grader.model.verdict import Verdict
    from grader.pipeline.prepare import Prepared


class Questioner:
    """Asks one submission about puzzles of one kind, in one warm sandbox."""

    def __init__(
        self,
        assignment: Assignment,
        kind: Kind,
        kit: Any,
        *,
        sandbox: Sandbox,
        write: Callable[[Any], str] | None = None,
    ) -> None:
        """Take `write` for puzzles that are written otherwise than the kit does."""
        self._write = write or kit.write
        self._assignment = assignment
        self._kind = kind
        self._kit = kit
        self._sandbox = sandbox

    def ask(self, submission: Submission, puzzle: Any, limits: Limits) -> CaseResult:
        """Run the submission on the puzzle and judge it by the reference, with all evidence."""
        prepared = self._prepare(puzzle, limits)
        return assess(prepared, self._run(submission, prepared), self._assignment.policy.cost)

    def verdict(self, submission: Submission, puzzle: Any, limits: Limits) -> Verdict:
        """Do the same for the verdict alone: no evidence, no picture."""
        prepared = self._prepare(puzzle, limits)
        return verdict_of(prepared, self._run(submission, prepared), self._assignment.policy.cost)

    def _prepare(self, puzzle: Any, limits: Limits) -> Prepared:
        return prepare_case(msgspec.structs.replace(self.case(puzzle), limits=limits), self._kit)

    def _run(self, submission: Submission, prepared: Prepared) -> RunRecord:
        return self._sandbox.run(request_for(prepared, submission, self._assignment))

    def case(self, puzzle: Any) -> Case:
        """Make the case; its empty expectation has the judge ask the kit."""
        text = self._write(puzzle)
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
