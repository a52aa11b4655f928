"""Puts any puzzle to a submission, as if it were a case: run in a warm sandbox, judged in a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.catalogue.kits import kit_of
from grader.model.assignment import Case, CaseFacts
from grader.model.run import Limits
from grader.pipeline.grade_case import CaseReading, python_of
from grader.pipeline.prepare import for_this_machine, prepare_case, request_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment, Kind
    from grader.model.result import CaseResult
    from grader.model.run import RunRequest
    from grader.model.seams import Engine
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Prepared
    from grader.readers.job import Job
    from grader.readers.pool import Readers


class Question(msgspec.Struct, frozen=True):
    """A puzzle as text, and what the program may use for it."""

    kind: str
    text: str
    limits: Limits


class Questions:
    """Makes questions of an assignment into cases; made before readers are."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.kits = {name: kit_of(kind) for name, kind in assignment.kinds.items()}
        self.reading: CaseReading[Question] = CaseReading(self.prepare, Question, assignment.policy.cost)

    @property
    def jobs(self) -> tuple[Job[Any, Any], ...]:
        return self.reading.jobs

    def prepare(self, question: Question) -> Prepared:
        """Prepare a question like a case of the catalogue."""
        case = case_of(self.assignment, self.assignment.kinds[question.kind], question.text)
        case = msgspec.structs.replace(case, limits=question.limits)
        return for_this_machine(prepare_case(case, self.kits[question.kind]))


class Asker(NamedTuple):
    """Everything that answers questions, open and ready."""

    questions: Questions
    engine: Engine
    readers: Readers

    def ask(self, submission: Submission, question: Question, *, draws: bool = False) -> CaseResult:
        """Run the submission on the puzzle and judge it by the reference; `draws` for one that is shown."""
        return self.ask_all(submission, [question], draws=draws)[0]

    def ask_all(
        self, submission: Submission, questions: Iterable[Question], *, draws: bool = False
    ) -> list[CaseResult]:
        """Ask questions on all workers, each taken when there is room for it; the results are in their order."""
        asked = self.questions
        prepared: dict[int, tuple[Question, Prepared]] = {}

        def requests() -> Iterator[tuple[int, RunRequest]]:
            for number, question in enumerate(questions):
                prepared[number] = question, asked.prepare(question)
                yield number, request_for(prepared[number][1], submission, asked.assignment)

        files = python_of(submission)
        errands = (
            (number, asked.reading.read(*prepared[number], record, files=files, draws=draws))
            for number, record in self.engine.map(requests())
        )
        results = dict(self.readers.map(errands))
        return [results[number] for number in prepared]


def case_of(assignment: Assignment, kind: Kind, text: str) -> Case:
    """Make a case of a puzzle; without an expectation it has the judge ask the kit."""
    return Case(
        facts=CaseFacts(id="found", title="Found by grader hunt"),
        kind=kind,
        input=text,
        raw=text.encode(),
        limits=assignment.limits,
        options=kind.options,
    )
