"""Something that the homework requires is missing."""

from __future__ import annotations

import ast

from grader.policy.rule import Findings, Page, PolicySpec, Program, clauses
from grader.policy.rules.banned_syntax import matches

PAGE = Page(
    name="required",
    what="None of the submission's files has a class, a function or a construct that this homework requires.",
    why="The homework asks for a certain structure; other parts of the course build on it.",
    example="def solve(grid):  # the homework requires `class Maze`\n    return []",
    instead="Add it under exactly the name that the handout gives, and use it.",
    written="require: [class Maze, def solve, for]",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    sources = (
        [source for source in program.running() if isinstance(source.tree, ast.Module)] if policy.require else []
    )
    for clause in clauses(policy.require, policy) if sources else ():
        if not any(matches(node, clause.name) for source in sources for node in ast.walk(source.module)):
            message = f"`{clause.name}` is required, and no file has it."
            yield PAGE.find(sources[0], (1, 1), message, why=clause.message)
