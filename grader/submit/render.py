"""Write a sheet's reports and its words, in a reader: they are made of what a student wrote and printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Verdict
from grader.pipeline.rendering import RENDER_S, rendering
from grader.readers.job import Job
from grader.report import markdown
from grader.report.text import terminal
from grader.report.writer import Wanted, write

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.readers.job import Errand


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    """What is left to tell, and what the student may know of the outcome."""

    terminal: str
    markdown: str
    has_passed: bool
    verdicts: tuple[str, ...]
    """Of the cases that the student may see, beside AC."""
    problem: str = ""
    """Why the files couldn't be written."""


def render(wanted: Wanted) -> Rendered:
    """Write the files, and return the words."""
    problem = ""
    try:
        shown = write(wanted)
    except OSError as error:
        shown = wanted.view()
        problem = f"The report files can't be written to {wanted.folder}: {error.strerror}."
    verdicts = {str(case.verdict) for case in shown.cases if case.verdict not in {None, Verdict.AC}}
    return Rendered(
        terminal=terminal.render(shown).rstrip(),
        markdown=markdown.render(shown),
        has_passed=shown.has_passed,
        verdicts=tuple(sorted(verdicts)),
        problem=problem,
    )


RENDER: Job[Wanted, Rendered] = Job(render, takes=Wanted, gives=Rendered, cpu_s=RENDER_S)


def rendered(wanted: Wanted) -> Errand[Rendered]:
    """Render in a reader; what is written without the student's words is compared with nothing."""

    def given(sheet: GradeSheet) -> Wanted:
        before = wanted.before if sheet is wanted.sheet else None
        return msgspec.structs.replace(wanted, sheet=sheet, before=before)

    return rendering(RENDER, wanted.sheet, given)
