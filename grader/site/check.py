"""One check in a browser, turned inside out: it is asked what to run next, and is told what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from grader.handout.in_process import HereReaders
from grader.model.verdict import Verdict
from grader.pipeline.grade import Reading
from grader.pipeline.grade_case import not_run
from grader.pipeline.schedule import Schedule
from grader.readers.job import run
from grader.report.view import outline
from grader.report.wording import sign
from grader.sandbox.browser.case import ISOLATION, BrowserCase, Facts
from grader.sandbox.browser.lacks import newer_than

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.intake.entries import Entry
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import Raised, RunRecord, RunRequest
    from grader.pipeline.open_submission import Key
    from grader.pipeline.prepare import Plan
    from grader.sandbox.browser.lacks import CoursePython


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
            self._schedule.take(key, result, keep=False)

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
