"""Recursion is required, or forbidden."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.model.assignment import Recursion
from grader.policy.rule import Page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.result import Finding
    from grader.policy.desk import Desk

PAGE = Page(
    name="recursion",
    what="The homework requires a function that calls itself (directly or through others), or forbids one.",
    why="The homework practises one of the two ways to repeat a step: recursion or a loop.",
    example="def walk(cell):  # with `recursion: forbidden`\n    walk(next_cell(cell))",
    instead="For recursion: let the function call itself on a smaller problem. Without it: use a loop, and a list as "
    "a stack.",
    written="recursion: required  # or forbidden",
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def check(desk: Desk, policy: PolicySpec) -> Iterator[Finding]:
    """Give a finding for each recursive function that is forbidden, or one if none is there."""
    if policy.recursion is None:
        return
    why = policy.messages.get(PAGE.name, "")
    sources = [source for source in desk.python() if isinstance(source.tree, ast.Module)]
    found = [(source, function) for source in sources for function in recursive(source.tree_or_empty)]
    if policy.recursion is Recursion.FORBIDDEN:
        for source, function in found:
            yield PAGE.find(source, function, f"`{function.name}` is recursive, which is not allowed here.", why=why)
    elif not found and sources:
        yield PAGE.find(
            sources[0], (1, 1), "A recursive function is required, and no function calls itself.", why=why
        )


def recursive(tree: ast.AST) -> list[_Function]:
    """Give the functions from which calls lead back to themselves, in order."""
    functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
    calls: dict[str, set[str]] = {}
    for function in functions:
        calls.setdefault(function.name, set()).update(_called(function))
    return [function for function in functions if function.name in _reachable(function.name, calls)]


def _called(function: _Function) -> set[str]:
    """Give the names that a function calls, plainly or on `self`; an inner function speaks for itself."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        function_called = node.func if isinstance(node, ast.Call) else None
        if isinstance(function_called, ast.Name):
            names.add(function_called.id)
        elif isinstance(function_called, ast.Attribute) and getattr(function_called.value, "id", "") in {
            "self",
            "cls",
        }:
            names.add(function_called.attr)
        if not isinstance(node, _Function):
            waiting += ast.iter_child_nodes(node)
    return names


def _reachable(start: str, calls: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [*calls.get(start, ())]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += calls.get(name, ())
    return reached
