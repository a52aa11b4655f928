"""The judge in a browser: `judge.js` calls it between two messages, in a worker that runs no word of a student's.

It is `grader check` with the same intake, scan, schedule, judges, explanations and pages. Only the waiting is turned
inside out (check.py).
"""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

import grader
from grader.errors import UsageError
from grader.handout.contents import open_kit
from grader.intake.entries import single_entry
from grader.model.verdict import Audience
from grader.pipeline.prepare import Plan
from grader.pipeline.speed import SLOW
from grader.report.html import page
from grader.report.results import submission
from grader.report.text.checked import summary
from grader.report.text.look import Look
from grader.report.view import SheetView, view
from grader.sandbox.browser.case import limits_here
from grader.sandbox.browser.lacks import COURSE, CoursePython
from grader.site.check import Check

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.pipeline.prepare import Prepared

_HANDED_IN = Path("/handed-in/your program")


class Desk:
    """One assignment, open; one check at a time."""

    def __init__(self) -> None:
        logging.disable(logging.CRITICAL)
        self._kit = open_kit()
        self._cases = tuple(_here(each) for each in self._kit.cases)
        told = (Path(grader.__file__).parents[1] / COURSE).read_bytes()
        self._course = msgspec.json.decode(told, type=CoursePython)
        self.work: Check

    def begin(self, files: dict[str, bytes]) -> str:
        """Take files in; return what is wrong with them, if anything."""
        try:
            _lay_out(files)
        except UsageError as error:
            return str(error)
        assignment = self._kit.assignment
        plan = Plan(assignment=assignment, cases=self._cases, rules=assignment.rules, timeouts=assignment.timeouts)
        self.work = Check(plan, single_entry(_HANDED_IN, assignment), self._course)
        return ""

    def told(self) -> str:
        """Return what the page shows of a check that is over, as JSON."""
        shown = _view(self.work.sheet)
        said = shown.problem or " ".join(summary(shown, Look(width=10_000), hidden=self._kit.hidden))
        results = msgspec.to_builtins(submission(shown))
        return json.dumps({"summary": said, "page": page.render(shown, check=""), "results": results})


def _view(sheet: GradeSheet) -> SheetView:
    """Show the sheet; that this machine is slow is no news here, and the page says how long each case may take."""
    told = tuple(note for note in sheet.notes if note.kind != SLOW)
    return view(replace(sheet, notes=told), Audience.STUDENT)


def _lay_out(files: dict[str, bytes]) -> None:
    """Write the files that came from the page, or with somebody's link."""
    shutil.rmtree(_HANDED_IN, ignore_errors=True)
    _HANDED_IN.mkdir(parents=True)
    for name, content in files.items():
        try:
            (_HANDED_IN / Path(name).name).write_bytes(content)
        except (OSError, ValueError) as error:
            raise UsageError(f"no file can be named {name[:100]!r}") from error


def _here(prepared: Prepared) -> Prepared:
    """Return a case with the limits of a browser."""
    return replace(prepared, case=replace(prepared.case, limits=limits_here(prepared.case.limits)))
