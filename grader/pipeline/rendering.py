"""Has a reader write a submission's reports; what fails on the student's words is written without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from grader.errors import GraderError
from grader.log import log
from grader.pipeline.sheet import without_words
from grader.readers.job import Failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.result import GradeSheet
    from grader.readers.job import Errand, Job

A = TypeVar("A")
R = TypeVar("R")

RENDER_S = 20.0
"""Seconds of processor time for one submission: a page of 30 cases with drawings takes 0.1 s."""
_UNWRITTEN = "The report of this case could not be written; ask the staff."


def rendering(job: Job[A, R], sheet: GradeSheet, given: Callable[[GradeSheet], A]) -> Errand[R]:
    """Return what the job makes of the sheet; only the log says why it failed, for that may name hidden cases."""
    done = yield job, given(sheet)
    if isinstance(done, Failed):
        log().error(
            "%s: the report failed (%s), and is written without details\n%s",
            sheet.submission,
            done.cause,
            done.detail,
        )
        done = yield job, given(without_words(sheet, _UNWRITTEN))
    if isinstance(done, Failed):
        log().error("%s", done.detail)
        raise GraderError(f"the report of {sheet.submission} can't be written ({done.cause})")
    made: R = done
    return made
