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

from grader.errors import UsageError
from grader.handout.contents import open_kit
from grader.handout.in_process import HereReaders
from grader.intake.entries import single_entry
from grader.model.verdict import Audience, Verdict
from grader.pipeline.grade import Reading
from grader.pipeline.grade_case import not_run
from grader.pipeline.prepare import Plan
from grader.pipeline.schedule import Schedule
from grader.readers.job import run
from grader.report.html import page
from grader.report.results import submission
from grader.report.text.look import Look
from grader.report.text.next_steps import summary
from grader.report.view import outline, view
from grader.report.wording import sign
from grader.sandbox.browser.case import ISOLATION, BrowserCase, Facts, limits_here
from grader.site.own_example import OwnExample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import RunRequest
    from grader.pipeline.prepare import Prepared
    from grader.pipeline.schedule import Key

_HANDED_IN = Path("/handed-in/your program")


class Desk:
    """One assignment, open; one check at a time."""

    def __init__(self) -> None:
        logging.disable(logging.CRITICAL)
        self._kit = open_kit()
        self._cases = tuple(_here(each) for each in self._kit.cases)
        self._check: Check | None = None

    def begin(self, files: dict[str, bytes], example: str) -> str:
        """Take files in; an example of the student's own, as JSON, is run instead of the cases.

        Return what is wrong with the example, if anything.
        """
        shutil.rmtree(_HANDED_IN, ignore_errors=True)
        _HANDED_IN.mkdir(parents=True)
        for name, content in files.items():
            (_HANDED_IN / Path(name).name).write_bytes(content)
        try:
            own = OwnExample.read(example, self._cases) if example else None
        except UsageError as error:
            return str(error)
        cases, rules = (self._cases, self._kit.assignment.rules) if own is None else ((own.prepared,), ())
        plan = Plan(assignment=self._kit.assignment, cases=cases, rules=rules, timeouts=1)
        self._check = Check(plan, own)
        return ""

    @property
    def check(self) -> Check:
        assert self._check is not None
        return self._check

    def told(self) -> str:
        """Return what the page shows of a check that is over, as JSON."""
        shown = view(self.check.sheet, Audience.STUDENT)
        hidden = 0 if self.check.own else self._kit.hidden
        said = shown.problem or " ".join(summary(shown, Look(width=10_000), hidden=hidden))
        return json.dumps(
            {
                "summary": self.check.own.summary if self.check.own and not shown.problem else said,
                "passed": shown.has_passed and not shown.problem,
                "page": page.render(shown),
                "results": msgspec.to_builtins(submission(shown)),
            }
        )


class Check:
    """A submission on its way through the cases."""

    def __init__(self, plan: Plan, own: OwnExample | None) -> None:
        self.own = own
        self._plan = plan
        self._reading = Reading.of(plan)
        self._lines: list[dict[str, str]] = []
        self._schedule = Schedule(plan, ISOLATION, self._see)
        entry = single_entry(_HANDED_IN, plan.assignment)
        readers: Any = HereReaders()  # as much of grader.readers.pool as grading asks of it
        self._admitted = readers.map(enumerate(map(self._reading.admission.admit, [entry])))
        self._requests: Iterator[tuple[Key, RunRequest] | None] = iter(())
        self._sheets: list[GradeSheet] = []
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
            prepared = self._plan.cases[key.case]
            lack = self.case.lack(known, found)
            if lack:
                result = not_run(prepared.case.facts, Verdict.SK, lack)
            elif self.own:
                result = self.own.judge(found, self._schedule.python_of(key))
            else:
                python = self._schedule.python_of(key)
                result = run(self._reading.cases.read(key.case, prepared, found, files=python))
            result = replace(result, read_s=0.0)  # there is no clock of processor time here
            self._schedule.take(key, result, keep=False)

    def lines(self) -> str:
        """Return the results since the last time, as JSON."""
        lines, self._lines = self._lines, []
        return json.dumps(lines)

    def _see(self, result: CaseResult) -> None:
        shown = outline(result, 0)
        line = {"id": result.facts.id, "title": result.facts.title, "verdict": result.verdict.value}
        self._lines.append({**line, "sign": sign(shown), "says": result.verdict.meaning})


def _here(prepared: Prepared) -> Prepared:
    """Return a case with the limits of a browser."""
    return replace(prepared, case=replace(prepared.case, limits=limits_here(prepared.case.limits)))
