"""The judge in a browser: `judge.js` calls it between two messages, in a worker that runs no word of a student's.

It is `grader check` with the same intake, scan, schedule, judges, explanations and pages. Only the waiting is turned
inside out (check.py).
"""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

import grader
from grader.errors import UsageError
from grader.handout.contents import open_kit
from grader.handout.shrink import failed, may_hunt
from grader.intake.entries import single_entry
from grader.model.verdict import Audience
from grader.pipeline.prepare import Plan
from grader.pipeline.speed import SLOW
from grader.report.html import page
from grader.report.results import submission
from grader.report.text.look import Look
from grader.report.text.next_steps import summary
from grader.report.view import SheetView, view
from grader.sandbox.browser import course_python
from grader.sandbox.browser.case import limits_here
from grader.sandbox.browser.course_python import CoursePython
from grader.site.check import Check
from grader.site.hunt import Hunting
from grader.site.own_example import OwnExample

if TYPE_CHECKING:
    from grader.intake.entries import Entry
    from grader.model.result import GradeSheet
    from grader.pipeline.prepare import Prepared

_HANDED_IN = Path("/handed-in/your program")


class Desk:
    """One assignment, open; one check or hunt at a time."""

    def __init__(self) -> None:
        logging.disable(logging.CRITICAL)
        self._kit = open_kit()
        self._cases = tuple(_here(each) for each in self._kit.cases)
        self._may_hunt = may_hunt(self._kit)
        told = (Path(grader.__file__).parents[1] / course_python.FILE).read_bytes()
        self._course = msgspec.json.decode(told, type=CoursePython)
        self._own: OwnExample | None = None
        self._sheet: GradeSheet | None = None
        self.work: Check | Hunting

    def begin(self, files: dict[str, bytes], example: str) -> str:
        """Take files in; an example of the student's own, as JSON, is run instead of the cases.

        Return what is wrong with the files or the example, if anything.
        """
        try:
            _lay_out(files)
            self._own = OwnExample.read(example, self._cases) if example else None
        except UsageError as error:
            return str(error)
        cases, rules = ((self._own.prepared,), ()) if self._own else (self._cases, self._kit.assignment.rules)
        plan = Plan(assignment=self._kit.assignment, cases=cases, rules=rules, timeouts=1)
        self.work = Check(plan, self._entry, self._course, self._own)
        return ""

    def hunt(self) -> str:
        """Make smaller what failed in the last check; return why that can't be, if so."""
        found = failed(self._cases, self._sheet) if self._may_hunt and self._sheet else None
        if found is None:
            return "no case that fails can be made smaller"
        self.work = Hunting(self._kit.assignment, found, self._entry, self._course)
        return ""

    @property
    def _entry(self) -> Entry:
        return single_entry(_HANDED_IN, self._kit.assignment)

    def told(self) -> str:
        """Return what the page shows of a check or a hunt that is over, as JSON."""
        return json.dumps(self._hunted(self.work) if isinstance(self.work, Hunting) else self._checked(self.work))

    def _checked(self, check: Check) -> dict[str, Any]:
        self._sheet = sheet = check.sheet
        shown = _view(sheet)
        if shown.problem:
            said = shown.problem
        elif self._own:
            said = self._own.summary
        else:
            said = " ".join(summary(shown, Look(width=10_000), hidden=self._kit.hidden))
        hunts = self._may_hunt and not self._own and failed(self._cases, sheet) is not None
        return {"summary": said, "hunts": hunts, **_shown(shown)}

    def _hunted(self, hunt: Hunting) -> dict[str, Any]:
        shown = _shown(_view(hunt.sheet)) if hunt.sheet else {}
        return {"summary": hunt.summary, "hunts": False, "puzzle": hunt.puzzle, **shown}


def _view(sheet: GradeSheet) -> SheetView:
    """Show the sheet; that this machine is slow is no news here, and the page says how long each case may take."""
    told = tuple(note for note in sheet.notes if note.kind != SLOW)
    return view(replace(sheet, notes=told), Audience.STUDENT)


def _shown(shown: SheetView) -> dict[str, Any]:
    return {"page": page.render(shown, check=""), "results": msgspec.to_builtins(submission(shown))}


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
