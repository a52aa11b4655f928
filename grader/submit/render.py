"""Write a sheet's reports and its words, in a reader: they are made of what a student wrote and printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError
from grader.model.result import GradeSheet
from grader.model.verdict import Audience, Verdict
from grader.pipeline.sheet import without_words
from grader.readers.job import Failed, Job
from grader.report import markdown, results
from grader.report.attempts import since
from grader.report.layout import RESULTS, write_atomically
from grader.report.registry import pages
from grader.report.text import terminal
from grader.report.view import view

if TYPE_CHECKING:
    from grader.readers.job import Errand
    from grader.report.view import SheetView

_CPU_S = 20.0
"""Seconds for one submission: a page of 30 cases with drawings takes 0.1 s."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet, for whom, and where its files go; an empty folder is for words alone."""

    sheet: GradeSheet
    audience: Audience
    folder: str
    formats: tuple[str, ...]
    before: GradeSheet | None = None
    """The attempt before, which the page is compared with."""


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
    shown = view(wanted.sheet, wanted.audience)
    if wanted.before is not None:
        shown = msgspec.structs.replace(shown, since=since(wanted.before, wanted.sheet, shown))
    problem = ""
    try:
        if wanted.folder:
            _write(shown, Path(wanted.folder), wanted.formats)
    except OSError as error:
        problem = f"The report files can't be written to {wanted.folder}: {error.strerror}."
    verdicts = {str(case.verdict) for case in shown.cases if case.verdict not in {None, Verdict.AC}}
    return Rendered(
        terminal=terminal.render(shown).rstrip(),
        markdown=markdown.render(shown),
        has_passed=shown.has_passed,
        verdicts=tuple(sorted(verdicts)),
        problem=problem,
    )


def _write(shown: SheetView, folder: Path, formats: tuple[str, ...]) -> None:
    for name, make in pages(shown, formats):
        write_atomically(folder / name, make(), private=True)
    if "json" in formats:
        write_atomically(folder / RESULTS, results.render(shown), private=True)


RENDER: Job[Wanted, Rendered] = Job(render, takes=Wanted, gives=Rendered, cpu_s=_CPU_S)


def rendering(wanted: Wanted) -> Errand[Rendered]:
    """Render in a reader; what can't be rendered with the student's words is rendered without them."""
    rendered = yield RENDER, wanted
    if isinstance(rendered, Failed):
        message = "The report of this case could not be written; ask the staff."
        bare = without_words(wanted.sheet, message)
        rendered = yield RENDER, msgspec.structs.replace(wanted, sheet=bare, before=None)
    if isinstance(rendered, Failed):
        raise GraderError(f"The report of {wanted.sheet.submission} can't be written ({rendered.cause}).")
    answer: Rendered = rendered
    return answer
