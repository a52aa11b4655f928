"""Prints a line per case while others still run, in the order of the cases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from grader.model.verdict import Verdict
from grader.report.text.cells import cells
from grader.report.text.look import Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.model.assignment import Case
    from grader.model.result import CaseResult, GradeSheet

_SURE = frozenset({Verdict.AC, Verdict.WA, Verdict.RTE, Verdict.PV})
"""Verdicts after which nothing is skipped: what comes behind another waits for the sheet."""


class CaseLines:
    """Hears of results in any order, and prints each as soon as all before it are printed."""

    def __init__(self, cases: Sequence[Case], *, quiet: bool, stops: bool) -> None:
        self._ids = [case.id for case in cases]
        self._look = Look.of(sys.stdout)
        self._quiet = quiet
        self._sure = frozenset({Verdict.AC}) if stops else _SURE
        self._heard: dict[str, CaseResult] = {}
        self._printed = 0
        self._is_held = False

    def seen(self, result: CaseResult) -> None:
        self._heard[result.id] = result
        while not self._is_held and self._printed < len(self._ids):
            following = self._heard.get(self._ids[self._printed])
            if following is None:
                return
            self._is_held = following.verdict not in self._sure
            if following.verdict is not Verdict.SK:
                self._print(following)

    def rest(self, sheet: GradeSheet) -> None:
        """Print what the sheet has and wasn't printed."""
        for result in sheet.cases[self._printed :]:
            self._print(result)

    def _print(self, result: CaseResult) -> None:
        self._printed += 1
        if not self._quiet:
            from grader.report.text.terminal import case_line  # noqa: PLC0415 - loaded while the first case is taken in
            from grader.report.view import outline  # noqa: PLC0415 - the same

            widest = max(map(cells, self._ids))
            click.echo(case_line(outline(result, self._printed), self._look, ids=widest))
