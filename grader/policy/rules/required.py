"""Something that the homework requires is missing."""

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
    name="required",
    what="None of the submission's files has a class, a function or a construct that this homework requires.",
    why="The homework asks for a certain structure; other parts of the course build on it.",
    example="def solve(grid):  # the homework requires `class Maze`\n    return []",
    instead="Add it under exactly the name that the handout gives, and use it.",
    written="require: [class Maze, def solve, for]",
)


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give one finding for each required thing that no file has."""
    sources = [source for source in desk.python() if isinstance(source.tree, ast.Module)]
    for clause in clauses(policy.require, policy) if sources else ():
        if not any(matches(node, clause.name) for source in sources for node in ast.walk(source.tree_or_empty)):
            message = f"`{clause.name}` is required, and no file has it."
            yield PAGE.find(sources[0], (1, 1), message, why=clause.message)
