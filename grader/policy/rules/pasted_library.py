"""The banned library's own source stands in the submission."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.rule import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="pasted-library",
    what="A function of the submission is, line for line, a function of a banned module.",
    why="The library's source under your name is still the library. Your own version of the idea is fine.",
    example="def _deepcopy_dict(x, memo, deepcopy=deepcopy):\n    y = {}\n    memo[id(x)] = y\n    ...",
    instead="Write the few lines that your data needs: `[row[:] for row in grid]` copies a grid.",
    written="ban: [itertools, copy]",
)
_TELLING = 40
"""Parts of a syntax tree from which two functions aren't alike by chance."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give a finding for each function that is the library's."""
    shapes = {shape: name for ban in desk.banned for shape, name in _shapes(ban).items()} if policy.ban else {}
    names = {name.rpartition(".")[2] for name in shapes.values()}
    for source in desk.python() if shapes else ():
        if not any(f"def {name}" in source.text for name in names):
            continue
        for scope in desk.trace(source.path).survey.inner.values():
            node = scope.node
            if isinstance(node, _Function) and node.name in names and shape(node) in shapes:
                message = f"`{node.name}` is the source of `{shapes[shape(node)]}` from Python's library."
                yield PAGE.find(source, node, message)


def shape(function: _Function) -> str:
    """Give a function's body without its place, comments and docstring."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) else function.body
    try:
        return "\n".join(ast.dump(statement) for statement in body)
    except RecursionError:
        return ""


@cache
def _shapes(ban: str) -> dict[str, str]:
    path = library.source_of(ban) if library.is_module(ban) else None
    tree = ast.parse(path.read_bytes()) if path else ast.Module([], [])
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    telling = [node for node in functions if sum(1 for _ in ast.walk(node)) >= _TELLING]
    return {shape(node): f"{ban}.{node.name}" for node in telling}
