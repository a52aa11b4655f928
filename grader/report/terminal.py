"""Renders a view for the terminal, with the explanation under each failure."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.report.findings import block
from grader.report.view import Outcome
from grader.report.wording import counts, explanation, mebibytes, points, seconds

if TYPE_CHECKING:
    from rich.console import RenderableType

    from grader.report.view import CaseView, SheetView

_LOOKS = {
    Outcome.PASSED: ("✓", "green"),
    Outcome.PARTLY: ("◐", "yellow"),
    Outcome.FAILED: ("✗", "red"),
    Outcome.SKIPPED: ("–", "bright_black"),
    Outcome.ERROR: ("!", "magenta"),
    Outcome.UNTOLD: ("?", "bright_black"),
}
_COMMAND = re.compile(r"##(?=\[|[a-z]+\[)")
_LINES_KEPT = 40


def render(view: SheetView) -> str:
    """Return the report as plain text."""
    text = io.StringIO()
    show(view, Console(file=text, width=100, color_system=None, force_terminal=False))
    return text.getvalue()


def show(view: SheetView, console: Console) -> None:
    """Print the report on a console of any width and colour."""
    for part in _parts(view):
        console.print(part, highlight=False, soft_wrap=isinstance(part, Text))


def _parts(view: SheetView) -> list[RenderableType]:
    head = Text.assemble("Submission ", (_tame(view.submission), "bold"), " · ", _tame(view.title), " · ")
    head.append(f"{points(view)} points", "bold")
    parts: list[RenderableType] = [head, Text(f"{counts(view).capitalize()}. {view.standing}", "bright_black")]
    if view.problem:
        parts.append(_guttered(f"It could not be graded: {view.problem}", "red"))
    remarks = [note.message for note in view.notes] + [block(finding) for finding in view.findings]
    parts += [_guttered(remark, "yellow") for remark in remarks[:_LINES_KEPT]]
    if len(remarks) > _LINES_KEPT:
        parts.append(_guttered(f"⟨{len(remarks) - _LINES_KEPT} more remarks⟩", "yellow"))
    for case in view.cases:
        parts.append(_line(case))
        if case.is_open and case.outcome is not Outcome.PASSED:
            parts.append(_guttered(explanation(case), _LOOKS[case.outcome][1]))
    return parts


def _line(case: CaseView) -> RenderableType:
    icon, style = _LOOKS[case.outcome]
    row = Table.grid(padding=(0, 1), expand=True)
    row.add_column(width=1)
    row.add_column(width=4)
    row.add_column(ratio=1, overflow="ellipsis", no_wrap=True)
    row.add_column(justify="right", no_wrap=True)
    row.add_column(justify="right", no_wrap=True, width=9)
    row.add_column(justify="right", no_wrap=True, width=9)
    used = case.measured
    usage = (seconds(used.cpu_s), mebibytes(used.peak_mib)) if used and used.has_run else ("", "")
    name = Text(_tame(case.facts.title), "" if case.is_open else "bright_black")
    label = Text(str(case.verdict or "··"), style)
    row.add_row(Text(icon, style), label, name, Text(points(case)), *(Text(part, "bright_black") for part in usage))
    return row


def _guttered(words: str, style: str) -> Text:
    """Return text behind a gutter, so that no line of it can begin a CI command."""
    lines = _tame(words).split("\n")
    if len(lines) > _LINES_KEPT:
        lines = [*lines[:_LINES_KEPT], f"⟨{len(lines) - _LINES_KEPT} more lines⟩"]
    text = Text()
    for place, line in enumerate(lines):
        text.append("\n  │ " if place else "  │ ", style)
        text.append(line)
    return text


def _tame(text: str) -> str:
    """Break the `##[…]` commands of CI systems, which need not stand at the beginning of a line."""
    return _COMMAND.sub("# #", text)
