"""The judge in a browser: `judge.js` calls it between two messages, in a worker that runs no word of a student's.

It is `grader check` with the same intake, scan, schedule, judges, explanations and pages. Only the waiting is turned
inside out: a check is asked what to run next, and is told what came of it.
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
from grader.handout.in_process import HereReaders
from grader.intake.entries import single_entry
from grader.model.verdict import Audience, Verdict
from grader.pipeline.grade import Reading
from grader.pipeline.grade_case import not_run
from grader.pipeline.prepare import Plan
from grader.pipeline.schedule import Schedule
from grader.pipeline.speed import SLOW
from grader.readers.job import run
from grader.report.html import page
from grader.report.results import submission
from grader.report.text.checked import summary
from grader.report.text.look import Look
from grader.report.view import SheetView, outline, view
from grader.report.wording import sign
from grader.sandbox.browser.case import ISOLATION, BrowserCase, Facts, limits_here
from grader.sandbox.browser.lacks import COURSE, CoursePython, newer_than

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.intake.entries import Entry
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import Raised, RunRecord, RunRequest
    from grader.pipeline.open_submission import Key
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


class Check:
    """A submission on its way through the cases."""

    def __init__(self, plan: Plan, entry: Entry, course: CoursePython) -> None:
        self._plan, self._course = plan, course
        self._reading = Reading.of(plan)
        self._lines: list[dict[str, str]] = []
        self._schedule = Schedule(plan, lambda: ISOLATION, self._see)
        readers: Any = HereReaders()  # as much of grader.readers.pool as grading asks of it
        self._admitted = readers.map(enumerate(map(self._reading.admission.admit, [entry])))
        self._requests: Iterator[tuple[Key, RunRequest] | None] = iter(())
        self._sheets: list[GradeSheet] = []
        self._newer: str | None = None
        self._key: Key
        self.case: BrowserCase

    @property
    def sheet(self) -> GradeSheet:
        return self._sheets[0]

    def next(self) -> str:
        """Return what to run next as JSON: the case's id and its limits; empty when all is judged."""
        while not self._schedule.is_over:
            asked = next(self._requests, None)
            if asked is not None:
                return self._start(*asked)
            self._requests = self._schedule.requests(self._admitted)
        self._sheets += self._schedule.finished()
        return ""

    def _start(self, key: Key, request: RunRequest) -> str:
        self._key, self.case = key, BrowserCase(request)
        limits = request.limits
        return json.dumps(
            {
                "id": self._plan.cases[key.case].case.id,
                "title": self._plan.cases[key.case].case.facts.title,
                "seconds": limits.cpu_s,
                "tickSeconds": limits.tick_s,
                "memoryMib": limits.memory_mib,
                "outputBytes": int(limits.output_mib * (1 << 20)),
            }
        )

    def ran(self, facts: str, stdout: bytes, stderr: bytes) -> None:
        """Judge what came of it."""
        known = msgspec.json.decode(facts.encode(), type=Facts)
        record = self.case.record(known, stdout, stderr)
        for key, found in self._schedule.held_back([(self._key, record)]):
            result = replace(self._judged(key, known, found), read_s=0.0)  # there is no clock of processor time here
            self._schedule.take(key, result)

    def _judged(self, key: Key, known: Facts, record: RunRecord) -> CaseResult:
        prepared, python = self._plan.cases[key.case], self._schedule.python_of(key)
        if self._newer is None:
            self._newer = newer_than(self._course, python)
        if lack := self._newer or self.case.lack(known, record, self._course):
            return not_run(prepared.case.facts, Verdict.SK, lack)
        record = _as_there(record, self._course)
        return run(self._reading.cases.read(key.case, prepared, record, files=python))

    def lines(self) -> str:
        """Return the results since the last time, as JSON."""
        lines, self._lines = self._lines, []
        return json.dumps(lines)

    def _see(self, result: CaseResult) -> None:
        line = {"id": result.facts.id, "title": result.facts.title, "verdict": result.verdict.value}
        self._lines.append({**line, "sign": sign(outline(result, 0)), "says": result.verdict.meaning})


def _as_there(record: RunRecord, course: CoursePython) -> RunRecord:
    """Tell exceptions in the words of the course's machine."""

    def told(raised: Raised | None) -> Raised | None:
        if raised is None:
            return None
        message, traceback = map(course.renumbered, (raised.message, raised.traceback))
        return replace(raised, message=message, traceback=traceback)

    replies = tuple(replace(reply, raised=told(reply.raised)) for reply in record.replies)
    return replace(record, raised=told(record.raised), replies=replies)
