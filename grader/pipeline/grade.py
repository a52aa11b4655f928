"""Grades many submissions, from where they lie to their sheets.

    entries ─▶ admit ─▶ requests ─▶ engine ─▶ records ─▶ read ─▶ results ─▶ sheets
              (readers)    │      (sandboxes)           (readers)  ▲
                           └── what is known (cache) ──────────────┘

This process only moves values. Sheets come as they are finished; a window of submissions is in memory, and those
that wait for a time-out to be confirmed, however many there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from grader.pipeline.admit import Admission
from grader.pipeline.grade_case import CaseReading
from grader.pipeline.schedule import Schedule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.cache.known import Known
    from grader.intake.entries import Entry
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.run import RunRecord
    from grader.model.seams import Engine
    from grader.model.submission import Submission
    from grader.pipeline.open_submission import Key
    from grader.pipeline.prepare import Plan
    from grader.readers.job import Errand, Job
    from grader.readers.pool import Readers


class Reading(NamedTuple):
    """What readers are asked while a plan is graded."""

    admission: Admission
    cases: CaseReading[int]

    @property
    def jobs(self) -> tuple[Job[Any, Any], ...]:
        return self.admission.jobs + self.cases.jobs

    @classmethod
    def of(cls, plan: Plan) -> Reading:
        cost = plan.assignment.policy.cost
        return cls(Admission(plan.assignment, plan.rules), CaseReading(plan.cases.__getitem__, int, cost))


class Grading(NamedTuple):
    """Everything that grades one plan, open and ready."""

    plan: Plan
    engine: Engine
    readers: Readers
    reading: Reading
    known: Known | None = None


def grade(
    grading: Grading,
    given: Iterable[Entry | Submission],
    *,
    seen: Callable[[CaseResult], None] = lambda _: None,
) -> Iterator[GradeSheet]:
    """Yield each submission's sheet as soon as its last case is judged; `seen` hears of every case."""
    plan, engine, readers, reading, known = grading
    schedule = Schedule(plan, lambda: engine.isolation, seen, known)
    admitted = readers.map(enumerate(map(reading.admission.admit, given)))
    while not schedule.is_over:
        records = schedule.held_back(engine.map(schedule.requests(admitted)))
        for key, result in readers.map(_read(schedule, plan, reading, records)):
            schedule.take(key, result)
            yield from schedule.finished()
        yield from schedule.finished()


def _read(
    schedule: Schedule, plan: Plan, reading: Reading, records: Iterable[tuple[Key, RunRecord]]
) -> Iterator[tuple[Key, Errand[CaseResult]]]:
    for key, record in records:
        yield key, reading.cases.read(key.case, plan.cases[key.case], record, files=schedule.python_of(key))
