"""Puts cases, puzzles and calls to one submission, in one warm sandbox."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from grader.catalogue.kits import kit_of
from grader.catalogue.load import load_assignment
from grader.errors import GraderError, SandboxError
from grader.hunt.ask import case_of
from grader.intake.collect import collect_one
from grader.model.kit import PuzzleError
from grader.model.run import Calls, RunRequest
from grader.model.verdict import TIMED_OUT, Ending, Level, Verdict
from grader.pipeline.find_assignment import choose_assignment, marked_in
from grader.pipeline.prepare import prepare_case
from grader.pipeline.sheet import forbids_running, settle_unrun
from grader.policy.scan import scan
from grader.pytest_plugin import bench_of
from grader.tracebacks import own_code
from grader.wiring import Settings, grade_bounded, open_one_sandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.model.assignment import Assignment, Case
    from grader.model.result import CaseResult
    from grader.model.run import RunRecord
    from grader.model.seams import Sandbox

_UNGUARDED = (
    "\nImporting your file runs it, and it asks for input. Put the last line under a guard:\n"
    '    if __name__ == "__main__":\n        main()'
)
_LOADED = pytest.StashKey[dict[Path, "Assignment"]]()


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


class Solution:
    """The handed-in module; each call runs in a fresh child."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def __getattr__(self, function: str) -> Callable[..., Any]:
        if function.startswith("__"):
            raise AttributeError(function)

        def call(*arguments: Any) -> Any:
            __tracebackhide__ = True
            return self._call(function, arguments)

        return call

    def _call(self, function: str, arguments: tuple[Any, ...]) -> Any:
        __tracebackhide__ = True
        assignment = self._bench.assignment
        submission = collect_one(self._bench.path, assignment)
        if submission.problem:
            pytest.fail(submission.problem, pytrace=False)
        how = Calls(module=assignment.files[0].name, function=function, arguments=(arguments,))
        record = self._bench.run(RunRequest(how=how, files=submission.files, limits=assignment.limits))
        raised = record.raised or (record.replies[0].raised if record.replies else None)
        if raised is not None:
            advice = _UNGUARDED if record.raised and raised.type == "EOFError" else ""
            told = f"{function} raised {raised.type}: {raised.message}\n{own_code(raised.traceback)}{advice}"
            pytest.fail(told, pytrace=False)
        if record.ending is not Ending.EXITED or not record.replies:
            pytest.fail(f"{function} gave no answer: {record.ending}", pytrace=False)
        return record.replies[0].value


class CaseFile(pytest.File):
    """A case file of the catalogue."""

    def collect(self) -> Iterator[CaseItem]:
        assignment = self._assignment()
        for case in assignment.cases:
            if case.path and self.path.samefile(case.path):
                yield CaseItem.from_parent(self, name=case.id, case=case, assignment=assignment)

    def _assignment(self) -> Assignment:
        """Load the folder once for all its files."""
        loaded = self.config.stash.setdefault(_LOADED, {})
        folder = self.path.parent
        if folder not in loaded:
            try:
                loaded[folder] = load_assignment(folder.parent, folder.name)
            except GraderError as error:
                raise self.CollectError(str(error)) from error
        return loaded[folder]


class CaseFailedError(Exception):
    """The submission failed the case."""

    def __init__(self, result: CaseResult) -> None:
        super().__init__(result.message)
        self.result = result


class CaseItem(pytest.Item):
    """One case put to the submission."""

    def __init__(self, *, case: Case, assignment: Assignment, **more: Any) -> None:
        super().__init__(**more)
        self.case = case
        self.assignment = assignment
        self.extra_keyword_matches.update(
            case.facts.tags, (case.kind.name, case.facts.visibility.value, assignment.name)
        )
        self.user_properties.append(("max_points", case.facts.points))

    def runtest(self) -> None:
        result = bench_of(self.config).put(self.case, self.assignment)
        self.user_properties += [("points", result.points), ("verdict", result.verdict.value)]
        if result.verdict is Verdict.SK:
            pytest.fail(result.message, pytrace=False)
        if result.verdict is not Verdict.AC:
            raise CaseFailedError(result)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the explanation and the frame, not our traceback."""
        if isinstance(excinfo.value, CaseFailedError):
            return told(excinfo.value.result)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, max(0, self.case.line - 1), f"{self.assignment.name}: {self.case.facts.title}"
