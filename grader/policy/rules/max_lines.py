"""The program has more lines than the homework allows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy.rule import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="max-lines",
    what="The Python files together have more lines of code than allowed. Blank lines, comments and docstrings don't "
    "count.",
    why="A short program that says each thing once is part of the task.",
    example="# 130 lines of code, with `max_lines: 120`",
    instead="Look for the same steps written twice and make a function of them.",
    written="max_lines: 120",
)


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give one finding where the allowed number of lines is passed."""
    if policy.max_lines is None:
        return
    before = 0
    for source in desk.python():
        lines = sorted(code_lines(source.tree_or_empty))
        if before <= policy.max_lines < before + len(lines):
            place = (lines[policy.max_lines - before], 1)
            total = sum(len(code_lines(other.tree_or_empty)) for other in desk.python())
            message = f"The program has {total} lines of code; {policy.max_lines} are allowed."
            yield PAGE.find(source, place, message, why=policy.messages.get(PAGE.name, ""))
        before += len(lines)


def code_lines(tree: ast.AST) -> set[int]:
    """Give the lines that hold code."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not _is_text(node):
            lines.update(_own_lines(node))
    return lines


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _own_lines(node: ast.stmt) -> range:
    """Give a statement's lines; of a compound one only its head."""
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    first = getattr(body[0], "lineno", None) if body else None
    if body and first is None:
        first = body[0].pattern.lineno
    end = (node.end_lineno or node.lineno) if first is None else max(node.lineno, first - 1)
    return range(node.lineno, end + 1)
