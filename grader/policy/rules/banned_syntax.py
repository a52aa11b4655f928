"""Syntax that the homework rules out is used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy.matching import matches
from grader.policy.rule import Page, clauses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="banned-syntax",
    what="The program uses a piece of Python's syntax that this homework rules out.",
    why="The homework practises a way of writing programs that does without it.",
    example="while True:\n    step()",
    instead="Give the loop its real condition, pass values as parameters and return them.",
    written="no: [global, while True, lambda]",
)


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give one finding for each place that uses what is ruled out."""
    ruled_out = clauses(policy.no, policy)
    for source in desk.python() if ruled_out else ():
        tree = desk.trace(source.path).survey.scope.node
        for node in ast.walk(tree):
            for clause in ruled_out:
                if matches(node, clause.name):
                    yield PAGE.find(source, node, f"`{clause.name}` may not be used here.", why=clause.message)
