"""A banned builtin function is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.rule import Findings, Page, PolicySpec, Program, advice, clauses
from grader.policy.trace import Thing

if TYPE_CHECKING:
    import ast

PAGE = Page(
    name="banned-builtin",
    what="The program uses a builtin function that this homework bans, by its name or under another one.",
    why="The function would do what the homework asks you to write, or it hides what the program does.",
    example='answer = eval(input("Your move: "))',
    instead="Do the step in your own code.",
    written="ban: [eval, sorted]",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    banned = {c.name: c.message for c in clauses(policy.ban, policy) if c.name in library.BUILTINS}
    for source in program.python() if banned else ():
        trace = program.trace(source)
        read: list[tuple[ast.expr, str]] = [
            (node, node.id) for node, scope in trace.scopes.used if scope.holder(node.id) is None
        ]
        for node, scope in trace.scopes.looks:
            paths = [v.path for v in trace.values(node, scope) if isinstance(v, Thing)]
            read += [(node, path[9:]) for path in paths if path.startswith("builtins.") and path[9:] in banned]
        for node, name in read:
            if name in banned:
                message = f"`{name}` is a builtin that is banned here."
                yield PAGE.find(source, node, message, why=banned[name], instead=advice(name))
