"""Something that could lead to a banned module and can't be decided."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from grader.model.result import Severity
from grader.policy.doubts import doubts
from grader.policy.reach import reaches
from grader.policy.rule import Page
from grader.policy.words import may_reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="hidden-way",
    what="The program does something by which a banned module could be reached, and reading it can't tell whether it "
    "is. A note for staff: it costs nothing.",
    why="Such code is seldom needed in homework and hides what the program does.",
    example='module = __import__(input("Which one? "))',
    instead="Import modules by their name at the top of the file, and write the steps out.",
    written="ban: [itertools, copy]",
)

_MOST = 20
"""Notes on one file; who reads twenty looks at the whole."""


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give a note for each thing that staff may want to look at."""
    for source in desk.python() if policy.ban else ():
        if may_reach(source, desk.banned):
            for doubt in islice(doubts(desk, source.path), _MOST):
                message = f"This {doubt.what}; whether it reaches a banned module can't be told by reading."
                yield PAGE.find(source, doubt.node, message, severity=Severity.REVIEW)
    for source in desk.disguised() if policy.ban else ():
        for reach in reaches(desk, source.path):
            message = f"This file is Python under another name; {reach.how}."
            yield PAGE.find(source, reach.node, message, severity=Severity.REVIEW)
            break
