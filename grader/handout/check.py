"""Checks one solution, once or at every save: `grader check` and the students' `check.pyz` do nothing else."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import UsageError
from grader.intake.entries import single_entry
from grader.intake.watch import stamps, wait_for_change
from grader.model.verdict import Level, Verdict
from grader.pipeline.grade import grade
from grader.report.text.cells import cells
from grader.report.text.look import Look
from grader.report.text.terminal import case_line
from grader.report.view import outline

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from grader.model.assignment import Case
    from grader.model.result import CaseResult, GradeSheet
    from grader.pipeline.grade import Grading
    from grader.report.text.checked import Checked

NOTE = "Checked on your computer, without a sandbox: run only code you trust. Your grade comes from the course's run."
_SURE = frozenset({Verdict.AC, Verdict.WA, Verdict.RTE, Verdict.PV})
"""Verdicts after which nothing is skipped: what comes behind another waits for the sheet."""


class Wishes(NamedTuple):
    """What was typed."""

    path: Path
    page: Path | None = None
    """Where the page is written; None when none is wanted."""
    stops: bool = False
    watches: bool = False
    as_json: bool = False


class Check:
    """One solution; readers and sandbox stay warm."""

    def __init__(self, grading: Grading, wishes: Wishes, show: Callable[[GradeSheet], Checked]) -> None:
        self._grading = grading
        self._wishes = wishes
        self._show = show

    def run(self) -> Checked:
        """Check, and say how it went; a folder without the file is a mistake."""
        if self._wishes.watches:
            return self._watch()
        done = self._check()
        if done.problem:
            raise UsageError(done.problem, hint="give the folder that has the file, or the file itself")
        return done

    def _watch(self) -> Checked:
        """Check at every save until Ctrl-C."""
        path = self._wishes.path
        while True:
            before = stamps(path)
            if sys.stdout.isatty():
                _clear()
            done = self._check()
            if done.problem:
                print(done.problem)
            try:
                print(f"\nWatching {path.absolute()}; save a file to check again, Ctrl-C to stop.", flush=True)
                wait_for_change(path, before)
            except KeyboardInterrupt:
                print()
                return done

    def _check(self) -> Checked:
        plan, wishes = self._grading.plan, self._wishes
        cases = [prepared.case for prepared in plan.cases]
        lines = CaseLines(cases, quiet=wishes.as_json, stops=wishes.stops)
        entry = single_entry(wishes.path, plan.assignment)
        sheet = next(iter(grade(self._grading, [entry], seen=lines.seen)))
        done = self._show(sheet)
        if not done.problem:
            lines.rest(sheet)
            print(done.json if wishes.as_json else done.text, flush=True)
            self._say_more(done)
        return done

    def _say_more(self, done: Checked) -> None:
        if not Level(done.level).reaches(Level.CONFINED):
            print(NOTE, file=sys.stderr)
        if self._wishes.page is not None:
            _open(self._wishes.page)


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
            widest = max(map(cells, self._ids))
            print(case_line(outline(result, self._printed), self._look, ids=widest), flush=True)


def typed(word: str, platform: str = sys.platform) -> str:
    """Write a word so that it can be typed again: Windows' shells take double quotes alone."""
    return subprocess.list2cmdline([word]) if platform == "win32" else shlex.quote(word)


def _clear() -> None:
    """Empty the terminal; an old Windows console shows the escape codes for it as letters."""
    if sys.platform == "win32":
        os.system("cls")  # noqa: S605, S607 - a command of the shell itself
    else:
        print("\x1b[2J\x1b[H", end="")


def _open(page: Path) -> None:
    """Open the page where there is a desktop; its address is printed anyway."""
    if sys.platform in {"darwin", "win32"} or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys():
        import webbrowser  # noqa: PLC0415 - most checks open nothing

        webbrowser.open(page.as_uri())
