"""Says what a student can do next, with commands that work as they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.report.cells import cells, wrapped
from grader.report.failures import failures
from grader.report.view import Outcome, SheetView

if TYPE_CHECKING:
    from grader.report.look import Look


class Steps(NamedTuple):
    """The commands that a front end offers; an empty one is not offered."""

    check: str
    """Such as `grader check mine`; `--only ID` and `--open` are put behind it."""
    hunt: str = ""
    page: str = ""
    """Address of the page that was written; else `--open` is offered where the front end has it."""
    opens: bool = True


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
    rows = [*_repeat(view, steps)]
    failed = any(case.is_wrong for case in view.cases)
    if steps.hunt and failed and _has_answers(view):
        rows.append((steps.hunt, "find the smallest input that goes wrong"))
    if steps.page:
        rows.append((steps.page, "this result as a page, with a player"))
    elif steps.opens and failed:
        rows.append((f"{steps.check} --open", "see it step by step in the browser"))
    if not rows:
        return []
    width = max(cells(command) for command, _ in rows)
    if width + 4 + max(cells(what) for _, what in rows) > look.width:
        lines = [line for command, what in rows for line in (f"  {what}:", f"    {command}")]
    else:
        lines = [f"  {command}{' ' * (width - cells(command))}  {what}" for command, what in rows]
    return [look.paint("Next:", "bold"), *lines]


def _repeat(view: SheetView, steps: Steps) -> list[tuple[str, str]]:
    """Offer the first failing case alone, where there are others."""
    wrong = [failure for failure in failures(view) if failure.example.is_wrong]
    if not wrong or wrong[0].is_all or len(view.cases) == 1:
        return []
    return [(f"{steps.check} --only {wrong[0].example.facts.id}", "repeat just this case")]


def _has_answers(view: SheetView) -> bool:
    """Tell whether the program runs at all: a hunt for a smaller input helps only then."""
    wrong = [failure for failure in failures(view) if failure.example.is_wrong]
    return not view.findings and not any(failure.is_all for failure in wrong)
