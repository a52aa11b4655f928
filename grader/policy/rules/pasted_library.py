"""The banned library's own source stands in the submission."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

from grader.policy import library
from grader.policy.rule import Findings, Page, PolicySpec, Program

PAGE = Page(
    name="pasted-library",
    what="A function of the submission is, line for line, a function of a banned module.",
    why="The library's source under your name is still the library. Your own version of the idea is fine.",
    example="def _deepcopy_dict(x, memo, deepcopy=deepcopy):\n    y = {}\n    memo[id(x)] = y\n    ...",
    instead="Write the few lines that your own data needs.",
    written="ban: [itertools, copy]",
)
_TELLING = 40
"""Parts of a syntax tree from which two functions aren't alike by chance."""
_LONGEST = 5000


def check(program: Program, _: PolicySpec) -> Findings:
    shapes = {shape: name for ban in program.bans for shape, name in _shapes(ban).items()}
    names = {name.rpartition(".")[2] for name in shapes.values()}
    for source in program.python() if shapes else ():
        for node, _scope in program.scopes(source).functions:
            name = shapes.get(_shape(node), "") if getattr(node, "name", "") in names else ""
            if name:
                yield PAGE.find(source, node, f"`{name}` of Python's library stands here line for line.")


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
    found = library.functions(ban) if library.is_module(ban) else {}
    return {shape: f"{ban}.{name}" for name, node in found.items() if (shape := _shape(node))}
