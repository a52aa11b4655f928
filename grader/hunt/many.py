"""Puts many puzzles to a submission in one sandboxed process: far quicker than a process for each.

What passes there is taken for right, which a hunt may do: it gives advice and no marks. All else is in doubt, and is
asked again as a case of its own before anything is said of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.kits import read_puzzle
from grader.hunt.turns import Turn, calls, replies_to
from grader.model.assignment import RunAs
from grader.model.judgement import Trial
from grader.model.run import Agent, Calls, File, Program, RunRecord, RunRequest, Stream
from grader.model.verdict import Ending, Verdict
from grader.pipeline.prepare import how_to_run, inputs_of
from grader.readers.job import Failed, Job

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.hunt.ask import Question, Questions
    from grader.model.run import How, Reply
    from grader.model.submission import Submission
    from grader.pipeline.prepare import Prepared
    from grader.readers.job import Errand

TOGETHER = 16
"""Puzzles to one process: its start is then a small part, and all cores still get some of a batch."""
_MODULE = "_grader_hunt_many"
_INSIDE = Path(__file__).with_name("inside.py")
_Printed = tuple[int, str]
"""What a program is told to have answered: its exit status and its output."""


class Many:
    """Makes one request of many questions, and reads the record; made before readers are."""

    def __init__(self, questions: Questions, name: Any) -> None:
        self._questions = questions
        self._inside = File(path=f"{_MODULE}.py", content=_INSIDE.read_bytes())
        self.job: Job[tuple[list[Question], RunRecord], list[bool]] = Job(
            self._pass_each,
            takes=tuple[list[name], RunRecord],
            gives=list[bool],
            needs=("grader.judge.decide", "grader.hunt.turns"),
        )

    def request(self, submission: Submission, questions: Sequence[Question]) -> RunRequest:
        """Plan a run on all questions of one kind, one after the other."""
        assignment, limits = self._questions.assignment, questions[0].limits
        turns = [self._turn(question) for question in questions]
        taken = {path for path, _ in turns[0].files} | {self._inside.path}
        return RunRequest(
            how=_together(turns),
            files=tuple(file for file in submission.files if file.path not in taken),
            inputs=(self._inside,),
            limits=msgspec.structs.replace(limits, cpu_s=limits.cpu_s * len(questions)),
            packages=assignment.packages,
            watch=assignment.policy.watched,
        )

    def _turn(self, question: Question) -> Turn:
        case, kit = self._questions.case(question), self._questions.kits[question.kind]
        files = tuple((file.path, file.content) for file in inputs_of(case))
        run = case.kind.run
        is_plain = run.run_as is RunAs.PROGRAM or (run.run_as is RunAs.FUNCTION and run.args is not None)
        how = how_to_run(case, kit, None if is_plain else read_puzzle(kit, question.text))
        return Turn(files=files, cpu_s=question.limits.cpu_s, how=how)

    def read(self, questions: Sequence[Question], record: RunRecord) -> Errand[list[bool]]:
        """Tell of each question whether it surely passes, as far as a shared process can tell."""
        passes = yield self.job, (list(questions), record)
        return [False] * len(questions) if isinstance(passes, Failed) else passes

    def _pass_each(self, asked: tuple[list[Question], RunRecord]) -> list[bool]:
        questions, record = asked
        replies = iter(record.replies if _is_clean(record) else ())
        prepared = map(self._questions.prepare, questions)
        return [_passes(each, replies_to(each.how, replies), record) for each in prepared]


def _together(turns: Sequence[Turn]) -> How:
    """Make one way to run of many; all are of one kind."""
    how = turns[0].how
    if isinstance(how, Agent):
        setup = msgspec.to_builtins(turns)
        return Agent(module=_MODULE, function="call_function", world="grader.hunt.turns:Worlds", setup=setup)
    function = "run_program" if isinstance(how, Program) else "call_function"
    return Calls(module=_MODULE, function=function, arguments=tuple(calls(turns)))


def _is_clean(record: RunRecord) -> bool:
    """Tell whether a shared process came to its end without anything that can't be put down to one puzzle."""
    return (record.ending, record.exit_status) == (Ending.EXITED, 0) and not (
        record.raised or record.irregularities or record.ban_uses
    )


def _passes(prepared: Prepared, replies: tuple[Reply, ...], shared: RunRecord) -> bool:
    from grader.judge.decide import decide  # noqa: PLC0415 - only readers judge

    record = _record(prepared.how, replies, shared)
    if record is None:
        return False
    trial = Trial(case=prepared.case, kit=prepared.kit, puzzle=prepared.puzzle, record=record)
    return decide(trial).verdict is Verdict.AC


def _record(how: How, replies: tuple[Reply, ...], shared: RunRecord) -> RunRecord | None:
    """Make the record that the same answer would have left in a process of its own; None where that isn't known."""
    if not isinstance(how, Program):
        return RunRecord(ending=Ending.EXITED, exit_status=0, replies=replies)
    if shared.stdout.size:  # printed past `sys.stdout`, nobody knows for which puzzle
        return None
    try:
        [reply] = replies
        status, printed = msgspec.convert(reply.value, _Printed)
        return RunRecord(ending=Ending.EXITED, exit_status=status, stdout=Stream.of(printed.encode("latin-1")))
    except (msgspec.ValidationError, ValueError):
        return None
