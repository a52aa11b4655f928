"""The program has more lines than the homework allows."""

from __future__ import annotations

import ast

from grader.policy.rule import Findings, Page, PolicySpec, Program

PAGE = Page(
    name="max-lines",
    what="The Python files together have more lines of code than allowed. Blank lines, comments and docstrings don't "
    "count.",
    why="A short program that says each thing once is part of the task.",
    example="# 130 lines of code, with `max_lines: 120`",
    instead="Look for the same steps written twice and make a function of them.",
    written="max_lines: 120",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    counted = (
        [(source, sorted(code_lines(source.module))) for source in program.running()] if policy.max_lines else []
    )
    total, before, most = sum(len(lines) for _, lines in counted), 0, policy.max_lines or 0
    for source, lines in counted:
        if before <= most < before + len(lines):
            message = f"The program has {total} lines of code; {most} are allowed."
            yield PAGE.find(source, (lines[most - before], 1), message, why=policy.messages.get(PAGE.name, ""))
        before += len(lines)


def code_lines(tree: ast.AST) -> set[int]:
    """Return the lines that hold code: a statement's own, of a compound one only its head."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
        if isinstance(node, ast.stmt) and not is_text:
            body = getattr(node, "body", None) or [case.pattern for case in getattr(node, "cases", ())]
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            lines.update(range(node.lineno, end + 1))
    return lines
