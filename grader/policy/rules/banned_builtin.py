"""A banned builtin function is used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.rule import Page, clauses
from grader.policy.values import Thing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk
    from grader.policy.trace import Trace

PAGE = Page(
    name="banned-builtin",
    what="The program uses a builtin function that this homework bans, by its name or under another one.",
    why="The function would do what the homework asks you to write, or it hides what the program does.",
    example='answer = eval(input("Your move: "))',
    instead="Do the step in your own code: `int(input())` for a number, a loop for `sum`, `max` or `sorted`.",
    written="ban: [eval, sorted]",
)


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give one finding for each read of a banned builtin."""
    banned = {c.name: c.message for c in clauses(policy.ban, policy) if c.name in library.BUILTINS}
    for source in desk.python() if banned else ():
        trace = desk.trace(source.path)
        own = {name for scope in (trace.survey.scope, *trace.survey.inner.values()) for name in scope.names}
        for node in ast.walk(trace.survey.scope.node):
            name = _name(trace, node, own)
            if name in banned:
                yield PAGE.find(source, node, f"`{name}` is a builtin that is banned here.", why=banned[name])


def _name(trace: Trace, node: ast.AST, own: set[str]) -> str:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        return "" if node.id in own else node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        values = trace.values(node, trace.survey.scope)
        return next((v.path[9:] for v in values if isinstance(v, Thing) and v.path.startswith("builtins.")), "")
    return ""
