"""Tells a student how a check went: the text with what to do next, the page, the data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.model.verdict import Audience, Verdict
from grader.report import results
from grader.report.failures import failures
from grader.report.layout import write_atomically
from grader.report.text import terminal
from grader.report.text.cells import cells, wrapped
from grader.report.view import Outcome, SheetView, view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.result import GradeSheet
    from grader.report.text.look import Look

_MOST_FAILURES = 4
"""Reasons that are told at once; one fix often helps the others, too."""


class Steps(NamedTuple):
    """The commands that a front end offers; an empty one is not offered."""

    check: str
    """Such as `grader check mine`; `--only ID`, `--watch` and `--open` are put behind it."""
    hunt: str = ""
    page: str = ""
    """Address of the page that was written; else `--open` is offered."""


class Wanted(NamedTuple):
    """How to tell it."""

    look: Look
    steps: Steps
    hidden: int
    """Cases that run only when it is submitted."""
    page: str = ""
    """Where to write the page; nowhere when empty."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    """What comes below the lines of the cases."""
    json: str
    passed: bool
    level: str
    problem: str = ""


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


def summary(view: SheetView, look: Look, *, hidden: int) -> list[str]:
    """Say in one or two lines how it went, and what is still to come."""
    count, passed = len(view.cases), sum(case.outcome is Outcome.PASSED for case in view.cases)
    told = f"{passed} of {count} visible cases pass." if passed < count else f"All {count} visible cases pass."
    told = "The visible case passes." if passed == count == 1 else told
    more = f" {hidden} hidden {'ones run' if hidden > 1 else 'one runs'} when you submit." if hidden else ""
    if view.unjudged:
        more = f" {view.unjudged} could not be judged; that is the grader's fault, not yours.{more}"
    colour = "green" if passed == count else "red"
    return [look.paint(line, colour) for line in wrapped(told + more, look.width)]


def next_steps(view: SheetView, steps: Steps, look: Look) -> list[str]:
    """Return the lines below `Next:`; nothing when there is nothing to do."""
    rows = [*_rows(view, steps)]
    if not rows:
        return []
    width = max(cells(command) for command, _ in rows)
    if width + 4 + max(cells(what) for _, what in rows) > look.width:
        lines = [line for command, what in rows for line in (f"  {what}:", f"    {command}")]
    else:
        lines = [f"  {command}{' ' * (width - cells(command))}  {what}" for command, what in rows]
    return [look.paint("Next:", "bold"), *lines]


def _rows(view: SheetView, steps: Steps) -> Iterator[tuple[str, str]]:
    """Offer what helps here, each command with what it does."""
    wrong = [failure for failure in failures(view) if failure.example.is_wrong]
    if wrong and (wrong[0].is_all or view.findings):
        yield f"{steps.check} --watch", "check again whenever you save"
    elif wrong and len(view.cases) > 1:
        yield f"{steps.check} --only {wrong[0].example.facts.id}", "repeat just this case"
    if steps.hunt and wrong and _answers(view) and not wrong[0].is_all:
        yield steps.hunt, "find the smallest input that goes wrong"
    if steps.page:
        yield steps.page, "this result as a page, with a player"
    elif any(failure.example.exhibit.scene for failure in wrong):
        yield f"{steps.check} --open", "see it step by step in the browser"


def _answers(view: SheetView) -> bool:
    """Tell whether the program answers some case at all: only then another input can show more."""
    return any(case.verdict in {Verdict.AC, Verdict.WA} for case in view.cases)
