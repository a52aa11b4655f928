"""Puts cases and puzzles to one submission, in one warm sandbox."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.catalogue.kits import kit_of
from grader.errors import GraderError, SandboxError
from grader.hunt.ask import case_of
from grader.intake.collect import collect_one
from grader.model.kit import PuzzleError
from grader.model.verdict import TIMED_OUT, Level, Verdict
from grader.pipeline.find_assignment import choose_assignment, marked_in
from grader.pipeline.prepare import prepare_case
from grader.pipeline.sheet import forbids_running, settle_unrun
from grader.policy.scan import scan
from grader.wiring import Settings, grade_bounded, open_one_sandbox

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, Case
    from grader.model.result import CaseResult
    from grader.model.run import RunRecord, RunRequest
    from grader.model.seams import Sandbox


class Bench:
    """One submission on the bench; an assignment's sandbox is opened at its first run."""

    def __init__(self, *, submission: str, assignment: str | None, isolation: str | None) -> None:
        self.path = Path(submission)
        self._name = assignment
        self._stack = ExitStack()
        self._settings = Settings(require=Level(isolation) if isolation else None)
        self._sandboxes: dict[str, Sandbox] = {}
        self.level = ""
        """Of the sandbox of the last run; whoever has noted it empties it."""
        self._assignment: Assignment | None = None

    @property
    def assignment(self) -> Assignment:
        """The assignment that the submission's files name."""
        if self._assignment is None:
            try:
                self._assignment = choose_assignment(self._name or marked_in(self.path), [self.path])
            except GraderError as error:
                pytest.fail(str(error), pytrace=False)
        return self._assignment

    def put(self, case: Case, assignment: Assignment) -> CaseResult:
        """Put one case of the catalogue to the submission."""
        submission = collect_one(self.path, assignment)
        finding = forbids_running(scan(submission.files, assignment.policy, assignment.started), assignment)
        if submission.problem or finding:
            return settle_unrun(submission, [case], finding)[0]
        prepared = prepare_case(case, kit_of(case.kind))
        return grade_bounded(prepared, submission, assignment, self._opened(assignment))

    def assert_solves(self, text: str, *, kind: str | None = None) -> None:
        """Fail with the explanation when the submission's answer to this input is wrong."""
        __tracebackhide__ = True
        assignment = self.assignment
        name = kind or next(iter(assignment.kinds))
        if name not in assignment.kinds:
            pytest.fail(f"there is no kind {name}; kinds are {', '.join(assignment.kinds)}", pytrace=False)
        chosen = assignment.kinds[name]
        try:
            kit_of(chosen).parse(text)
        except PuzzleError as error:
            pytest.fail(f"line {error.line}, column {error.column} of the input: {error.message}", pytrace=False)
        result = self.put(case_of(assignment, chosen, text), assignment)
        if result.verdict is not Verdict.AC:
            pytest.fail(told(result), pytrace=False)

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; a time-out counts only when it happens twice."""
        sandbox = self._opened(self.assignment)
        record = sandbox.run(request)
        return sandbox.run(request) if record.ending in TIMED_OUT else record

    def close(self) -> None:
        self._stack.close()
        self._sandboxes.clear()

    def _opened(self, assignment: Assignment) -> Sandbox:
        __tracebackhide__ = True
        if assignment.name not in self._sandboxes:
            try:
                opened = self._stack.enter_context(open_one_sandbox(self._settings, assignment))
            except SandboxError as error:
                pytest.fail(str(error), pytrace=False)
            self._sandboxes[assignment.name] = opened
        self.level = self._sandboxes[assignment.name].isolation.level
        return self._sandboxes[assignment.name]


def told(result: CaseResult) -> str:
    """Tell a failed result to a student: verdict, reason, both sides, hint."""
    lines = [f"{result.verdict} ({result.verdict.meaning}): {result.message}"]
    mismatch = result.mismatch
    if mismatch is not None:
        for title, text in (("expected", mismatch.expected), ("found", mismatch.found)):
            if text:
                lines += [f"{title}:", *(f"    {line}" for line in text.splitlines()[:40])]
    if result.facts.hint:
        lines.append(f"hint: {result.facts.hint}")
    if result.evidence.traceback:
        lines.append(result.evidence.traceback.rstrip())
    return "\n".join(lines)
