"""Calls a solution's functions in the sandbox as if they were imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from grader.intake.collect import collect_one
from grader.model.run import Calls, RunRequest
from grader.model.verdict import Ending
from grader.tracebacks import own_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.pytest_plugin.bench import Bench


_UNGUARDED = (
    "\nImporting your file runs it, and it asks for input. Put the last line under a guard:\n"
    '    if __name__ == "__main__":\n        main()'
)


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
