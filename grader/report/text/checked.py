"""Tells a student how a check went: the text, the page, the data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.model.verdict import Audience
from grader.report import results
from grader.report.layout import write_atomically
from grader.report.text import terminal
from grader.report.text.next_steps import next_steps, summary
from grader.report.text.telling import Checked
from grader.report.view import Outcome, SheetView, view

if TYPE_CHECKING:
    from grader.model.result import GradeSheet
    from grader.report.text.telling import Wanted


_MOST_FAILURES = 4
"""Reasons that are told at once; one fix often helps the others, too."""


def checked(wanted: Wanted, sheet: GradeSheet) -> Checked:
    """Tell the sheet to its student; any process may do this."""
    shown = view(sheet, Audience.STUDENT)
    if wanted.page and not shown.problem:
        from grader.report.html import page  # noqa: PLC0415 - the students' kit has no templates, and few ask for a page

        write_atomically(Path(wanted.page), page.render(shown, check=wanted.steps.check))
    return Checked(
        text="\n".join(_text(shown, wanted)),
        json=msgspec.json.encode(results.submission(shown)).decode(),
        passed=all(case.outcome is Outcome.PASSED for case in shown.cases),
        level=shown.level,
        problem=shown.problem,
    )


def _text(shown: SheetView, wanted: Wanted) -> list[str]:
    lines = [
        *terminal.reasons(shown, wanted.look, most=_MOST_FAILURES),
        "",
        *summary(shown, wanted.look, hidden=wanted.hidden),
    ]
    steps = next_steps(shown, wanted.steps, wanted.look)
    return [*lines, "", *steps] if steps else lines
