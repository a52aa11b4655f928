"""Rules on where modules come from: a list of allowed ones, own files in their place, pasted sources."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from grader.model.assignment import RuleName
from grader.policy import library
from grader.policy.rule import Findings, PolicySpec, Program, Rule, clauses, rule

_TELLING = 40
"""Parts of a syntax tree from which two functions aren't alike by chance."""
_LONGEST = 5000


@rule(
    name=RuleName.ONLY,
    what="The program imports a module that isn't on this homework's list. Your own files may always be imported.",
    why="The homework can be done with the modules on the list, and practises to do without the others.",
    example="import networkx  # with `only: [math, random]`",
    instead="Use the modules that the homework allows, and write the rest yourself.",
    written="only: [math, random]",
)
def only(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    allowed = [clause.name for clause in clauses(policy.only or (), policy)]
    for source in program.python() if policy.only is not None else ():
        look = program.look(source)
        paths: list[tuple[str, ast.AST]] = [
            (path, n) for n in look.imports for path in library.modules(n, look.package)
        ]
        paths += [(program.module(text), node) for text, node in look.imported.items()]
        for path, node in paths:
            fits = any(f"{path}.".startswith(f"{name}.") for name in (*allowed, "__future__"))
            if path and not fits and not program.own(path, source.path):
                message = f"`{path}` is none of the modules that are allowed here: {', '.join(allowed) or 'none is'}."
                yield page.find(source, node, message, why=page.reason(policy))


@rule(
    name="own-module",
    what="A file of the submission has the name of a banned module, and an import finds it before the library's. "
    "A note for staff: it costs nothing.",
    why="Your own code is allowed. Staff look at it once, since the name promises the banned library.",
    example="import copy  # finds the copy.py beside it",
    instead="Give your file a name of its own, such as `grid_copy.py`.",
    written="ban: [itertools, copy]",
)
def own_module(page: Rule, program: Program, _: PolicySpec) -> Findings:
    for source in program.python() if program.bans else ():
        look = program.look(source)
        for node in look.imports:
            banned = [path for path in library.modules(node, look.package) if program.ban_of(path)]
            for path, own in [(path, own) for path in banned if (own := program.own(path, source.path))][:1]:
                yield page.note(source, node, f"`{path}` is here the submission's own file `{own}`.")


@rule(
    name="pasted-library",
    what="A function of the submission is, line for line, a function of a banned module.",
    why="The library's source under your name is still the library. Your own version of the idea is fine.",
    example="def _deepcopy_dict(x, memo, deepcopy=deepcopy):\n    y = {}\n    memo[id(x)] = y\n    ...",
    instead="Write the few lines that your own data needs.",
    written="ban: [itertools, copy]",
)
def pasted_library(page: Rule, program: Program, _: PolicySpec) -> Findings:
    shapes = {shape: name for ban in program.bans for shape, name in _shapes(ban).items()}
    for source in program.python() if shapes else ():
        for node in ast.walk(source.tree):
            name = shapes.get(_shape(node), "") if isinstance(node, ast.FunctionDef) else ""
            if name:
                yield page.find(source, node, f"`{name}` of Python's library is here line for line.")


def _shape(function: Any) -> str:
    """Return a function's body without its place, comments and docstring; "" for one that is no likeness."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    parts = sum(1 for _, _ in zip(range(_LONGEST), ast.walk(function), strict=False))
    try:
        return "\n".join(map(ast.dump, body)) if _TELLING <= parts < _LONGEST else ""
    except RecursionError:  # deeper than any function of the library
        return ""


@cache
def _shapes(ban: str) -> dict[str, str]:
    found = library.functions(ban)
    return {shape: f"{ban}.{node.name}" for node in found if (shape := _shape(node))}
