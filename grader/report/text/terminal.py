"""Renders a view for the terminal: a line per case, then each failure with its reason.

Everything here is plain Python, since the students' kit runs it, too. What a student wrote stands behind a gutter, so
that no line of it can begin a command of a CI system.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from grader.model.verdict import Verdict
from grader.report.failures import failures
from grader.report.findings import block
from grader.report.text.board import drawing
from grader.report.text.cells import cells, cut, padded, wrapped
from grader.report.text.look import Look
from grader.report.view import Outcome
from grader.report.wording import SIGNS, counts, points, remark_text, spelled, sums

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.report.failures import Failure
    from grader.report.view import CaseView, SheetView

_COLOURS = {
    Outcome.PASSED: "green",
    Outcome.PARTLY: "yellow",
    Outcome.FAILED: "red",
    Outcome.SKIPPED: "grey",
    Outcome.ERROR: "magenta",
    Outcome.UNTOLD: "grey",
}
_COMMAND = re.compile(r"##(?=\[|[a-z]+\[)")
_MOST_LINES = 40
_MOST_FAILURES = 12
_MOST_REMARKS = 40
_MOST_NAMES = 8
_INPUT_LINES = 12
_LONGEST_ID = 24
_WORTH = 6
"""Columns of the points."""


def render(view: SheetView) -> str:
    """Return the report as plain text."""
    return "".join(f"{line}\n" for line in report(view, Look()))


def report(view: SheetView, look: Look) -> Iterator[str]:
    """Return the whole report: what was graded, every case, every reason, what it comes to."""
    yield look.paint(_tame(f"Submission {view.submission} · {view.title}"), "bold")
    ids = max((cells(case.facts.id) for case in view.cases), default=0)
    for case in view.cases:
        yield case_line(case, look, ids=ids)
    yield from reasons(view, look)
    yield ""
    yield look.paint(f"{points(view)} points: {counts(view)}.", "bold")
    yield from wrapped(view.standing, look.width)
    if view.remarks:
        yield ""
        yield look.paint("From the staff:", "bold")
        yield from _block(look, "grey", [remark_text(each) for each in view.remarks])
        yield look.paint(sums(view), "bold")


def case_line(case: CaseView, look: Look, *, ids: int) -> str:
    """Return one case in one line: sign, id, title, verdict, points; the ids get so many columns."""
    sign, colour = SIGNS[case.outcome], _COLOURS[case.outcome]
    head = padded(cut(_tame(case.facts.id), _LONGEST_ID), min(ids, _LONGEST_ID))
    said, worth = spelled(case), points(case).rjust(_WORTH)
    room = look.width - cells(head) - cells(said) - cells(worth) - 6
    title = cut(_tame(case.facts.title), max(room - 2, _WORTH))
    space = " " * max(2, room - cells(title))
    return f"{look.paint(sign, colour)} {look.paint(head, 'grey')}  {title}{space}{look.paint(said, colour)}  {worth}"


def reasons(view: SheetView, look: Look, *, most: int = _MOST_FAILURES) -> Iterator[str]:
    """Explain what failed, each reason once and so many at most; the first one is drawn."""
    if view.problem:
        yield from _block(look, "red", [f"It could not be graded: {view.problem}"])
    remarks = [note.message for note in view.notes] + [block(finding) for finding in view.findings]
    for remark in remarks[:_MOST_REMARKS]:
        yield ""
        yield from _block(look, "yellow", remark.split("\n"))
    if len(remarks) > _MOST_REMARKS:
        yield from _block(look, "yellow", [f"⟨{len(remarks) - _MOST_REMARKS} more remarks⟩"])
    found = failures(view)
    for place, failure in enumerate(found[:most]):
        yield ""
        yield from _failure(failure, view, look, is_first=place == 0)
    if len(found) > most:
        left = [case for failure in found[most:] for case in failure.cases]
        yield ""
        yield from _block(look, "red", [f"{len(left)} more failed or weren't run: {_names(left)}"])


def _failure(failure: Failure, view: SheetView, look: Look, *, is_first: bool) -> Iterator[str]:
    case = failure.example
    sign, colour = SIGNS[case.outcome], _COLOURS[case.outcome]
    yield look.paint(cut(_tame(f"{sign} {spelled(case)} in {_whose(failure)}"), look.width), colour)
    if _is_remark(case, view):
        return
    lines = [case.message]
    if case.mismatch and case.mismatch.message not in case.message:
        lines.append(case.mismatch.message)
    picture = drawing(case, look.width - 6, has_signs=look.has_signs) if is_first else []
    if not picture:
        lines += _sides(case)
    if 'File "' in case.exhibit.traceback:
        lines += ["", *(f"  {line}" for line in case.exhibit.traceback.rstrip().split("\n"))]
    yield from _block(look, colour, lines)
    if is_first and not picture and not failure.is_all:
        picture = _input(case)
    if picture:
        yield from _block(look, colour, ["", *(f"  {line}" for line in picture)], fits=True)
    if failure.hint:
        yield from _block(look, colour, ["", f"Hint: {failure.hint}"])


def _whose(failure: Failure) -> str:
    count = len(failure.cases)
    if failure.is_all:
        return f"all {count} cases, for the same reason"
    return failure.example.facts.id if count == 1 else f"{count} cases, for the same reason: {_names(failure.cases)}"


def _names(cases: tuple[CaseView, ...] | list[CaseView]) -> str:
    names = [case.facts.id for case in cases[:_MOST_NAMES]]
    return ", ".join(names) + (f" and {len(cases) - _MOST_NAMES} more" if len(cases) > _MOST_NAMES else "")


def _is_remark(case: CaseView, view: SheetView) -> bool:
    """Tell whether the reason is above already: a finding that forbids running, a file that can't be read."""
    if case.verdict is Verdict.PV:
        return any(finding.breach and finding.path for finding in view.findings)
    kinds = {"SyntaxError", "IndentationError", "TabError"}
    is_syntax = case.mismatch is not None and case.mismatch.kind in kinds
    return is_syntax and any(finding.rule == "syntax-error" for finding in view.findings)


def _sides(case: CaseView) -> list[str]:
    """Tell what was expected and found, where the sentence doesn't say it already."""
    if case.mismatch is None:
        return []
    told = []
    for label, given in (("Expected", case.mismatch.expected), ("Found", case.mismatch.found)):
        text = given.rstrip("\n")
        if "\n" in text:
            told += [f"{label}:", *(f"  {line}" for line in text.split("\n"))]
        elif text and text not in case.message:
            told.append(f"{label}: {text}")
    return told


def _input(case: CaseView) -> list[str]:
    lines = case.exhibit.input.rstrip("\n").split("\n")
    if lines == [""] or len(lines) > _INPUT_LINES:
        return []
    return ["the input:", *lines]


def _block(look: Look, colour: str, lines: list[str], *, fits: bool = False) -> Iterator[str]:
    """Return lines behind a gutter, wrapped to the terminal unless they fit already."""
    width = look.width - 4
    split = [part for line in lines for part in line.split("\n")]
    told = [cut(line, width) for line in split] if fits else [part for line in split for part in wrapped(line, width)]
    if len(told) > _MOST_LINES:
        told = [*told[:_MOST_LINES], f"⟨{len(told) - _MOST_LINES} more lines⟩"]
    gutter = look.paint("│", colour)
    yield from (f"  {gutter} {_tame(line)}".rstrip() for line in told)


def _tame(text: str) -> str:
    """Break the `##[…]` commands of CI systems, which need not stand at the beginning of a line."""
    return _COMMAND.sub("# #", text)
