"""A file isn't Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.model.result import Severity
from grader.policy.parse import Unreadable
from grader.policy.rule import Page
from grader.policy.telling import explain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="syntax-error",
    what="Python can't read the file, so it can't run it.",
    why="A program with a syntax error doesn't start: none of its lines is run.",
    example='print "hello"',
    instead="Run the file once yourself before you hand it in: `python3 your_file.py` names the line.",
    written="# always on",
)


def check(desk: Desk, _: PolicySpec) -> Iterator[Finding]:
    """Give one finding for each file without a syntax tree."""
    for source in desk.python():
        problem = source.tree
        if isinstance(problem, Unreadable):
            message, instead = explain(source, problem)
            severity = Severity.REVIEW if problem.too_much else Severity.CERTAIN
            place = (problem.line, problem.column)
            yield PAGE.find(source, place, message, severity=severity, instead=instead)
