"""Turns each case of a YAML file into a pytest item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from grader.catalogue.load import load_assignment
from grader.errors import GraderError
from grader.model.verdict import Verdict
from grader.pytest_plugin import bench_of
from grader.pytest_plugin.bench import told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.model.assignment import Assignment, Case
    from grader.model.result import CaseResult

_LOADED = pytest.StashKey[dict["Path", "Assignment"]]()


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
