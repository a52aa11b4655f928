"""Proves a packed kit: judges some answers without running anything, so that whatever this needs is there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from grader.model.assignment import PolicyCost
from grader.model.run import Calls, Reply, RunRecord, Stream
from grader.model.submission import Submission
from grader.model.verdict import Audience, Ending, Verdict
from grader.pipeline.grade_case import read_alone
from grader.pipeline.sheet import Outcome, add_up
from grader.policy.shipped import watcher_source
from grader.readers.job import run
from grader.report.html import page
from grader.report.view import view
from grader.sandbox.portable.sandbox import PortableSandbox

if TYPE_CHECKING:
    from grader.handout.contents import Contents
    from grader.model.result import GradeSheet


def prove(kit: Contents) -> int:
    """Judge every case's answer, wrong as it is; return 70 and say why when something is missing."""
    watcher_source()
    page.render(view(_nothing(kit), Audience.STUDENT))
    for prepared in kit.cases:
        for text, value in ((b"", None), (b"0\n", 0), (b"a b\n", ["a"])):
            count = len(prepared.how.arguments) if isinstance(prepared.how, Calls) else 1
            replies = tuple(Reply(value=value) for _ in range(count))
            record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(text), replies=replies)
            result = run(read_alone(prepared, PolicyCost.WARNING).read(None, prepared, record))
            if result.verdict is Verdict.JE and result.mismatch is not None:
                print(result.mismatch.found.strip(), file=sys.stderr)
                return 70
    return 0


def _nothing(kit: Contents) -> GradeSheet:
    isolation = PortableSandbox().isolation
    return add_up(Submission(id="none", files=()), kit.assignment, outcome=Outcome((), ()), isolation=isolation)
