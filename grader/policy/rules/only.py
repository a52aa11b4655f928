"""A module is imported that isn't among the allowed ones."""

from __future__ import annotations

import ast

from grader.policy.library import bindings
from grader.policy.rule import Findings, Page, PolicySpec, Program, clauses

PAGE = Page(
    name="only",
    what="The program imports a module that isn't on this homework's list. Your own files may always be imported.",
    why="The homework can be done with the modules on the list, and practises to do without the others.",
    example="import networkx  # with `only: [math, random]`",
    instead="Use the modules that the homework allows, and write the rest yourself.",
    written="only: [math, random]",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    allowed = [clause.name for clause in clauses(policy.only or (), policy)]
    for source in program.python() if policy.only is not None else ():
        trace = program.trace(source)
        paths: list[tuple[str, ast.AST]] = [
            (path, node) for node in trace.scopes.imports for path in _paths(node, trace.scopes.package)
        ]
        paths += [(program.module(text), node) for text, node in trace.imported.items()]
        for path, node in paths:
            fits = any(f"{path}.".startswith(f"{name}.") for name in (*allowed, "__future__"))
            if path and not fits and not program.own(path, source.path):
                message = f"`{path}` is none of the modules that are allowed here: {', '.join(allowed) or 'none is'}."
                yield PAGE.find(source, node, message, why=policy.messages.get(PAGE.name, ""))


def _paths(node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    """Return the modules that a statement imports: `from os import path` may mean `os` or `os.path`."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [path for _, path in bindings(node, package)]
