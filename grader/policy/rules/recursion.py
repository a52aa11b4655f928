"""Recursion is required, or forbidden."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.model.assignment import Recursion
from grader.policy.rule import Findings, Page, PolicySpec, Program

if TYPE_CHECKING:
    from grader.policy.scopes import Scope, Scopes

PAGE = Page(
    name="recursion",
    what="The homework requires a function that calls itself (directly or through others), or forbids one.",
    why="The homework practises one of the two ways to repeat a step: recursion or a loop.",
    example="def walk(cell):  # with `recursion: forbidden`\n    walk(next_cell(cell))",
    instead="For recursion: let the function call itself on a smaller problem. Without it: use a loop, and a list as "
    "a stack.",
    written="recursion: required  # or forbidden",
)
_MOST = 200
"""Functions that are followed round; no homework has so many."""


def check(program: Program, policy: PolicySpec) -> Findings:
    if policy.recursion is None:
        return
    why = policy.messages.get(PAGE.name, "")
    is_forbidden = policy.recursion is Recursion.FORBIDDEN
    sources = [source for source in program.running() if isinstance(source.tree, ast.Module)]
    found = [(s, f) for s in sources for f in recursive(program.scopes(s), strict=is_forbidden)]
    for source, function in found if is_forbidden else ():
        name = getattr(function, "name", "this lambda")
        yield PAGE.find(source, function, f"`{name}` is recursive, which is not allowed here.", why=why)
    if not is_forbidden and not found and sources:
        message = "A recursive function is required, and no function calls itself."
        yield PAGE.find(sources[0], (1, 1), message, why=why)


def recursive(scopes: Scopes, *, strict: bool) -> list[ast.AST]:
    """Return the functions from which calls lead back to themselves.

    A method called on something unknown (`child.depth()` in `depth`) counts unless `strict`.
    """
    owners = {id(node) for node, _ in scopes.functions}
    calls: dict[int, set[int]] = {}
    for call, scope in scopes.looks:
        caller = _caller(scope)
        for part in (call.func, *call.args) if isinstance(call, ast.Call) and caller is not None else ():
            targets = _targets(part, scope, strict=strict)
            calls.setdefault(id(caller), set()).update(id(node) for node in targets if id(node) in owners)
    endless = _endless(calls)
    likely = [node for node, _ in scopes.functions if id(node) in endless][:_MOST]
    return [node for node in likely if id(node) in _reachable(id(node), calls)]


def _caller(scope: Scope | None) -> ast.AST | None:
    while scope is not None and not isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        scope = scope.parent
    return scope.node if scope else None


def _targets(part: ast.expr, scope: Scope, *, strict: bool) -> list[ast.AST | None]:
    """Return the functions that a called expression may be."""
    holder = scope.holder(part.id) if isinstance(part, ast.Name) else None
    if holder is not None and isinstance(part, ast.Name):
        return [binding.node for binding in holder.names[part.id]]
    if not isinstance(part, ast.Attribute):
        return []
    inner: Scope | None = scope
    while inner is not None and not inner.is_class:
        inner = inner.parent
    is_self = isinstance(part.value, ast.Name) and part.value.id in {
        "self",
        "cls",
        getattr(inner and inner.node, "name", ""),
    }
    return [b.node for b in inner.names.get(part.attr, [])] if inner and (is_self or not strict) else []


def _endless(calls: dict[int, set[int]]) -> set[int]:
    """Return the functions whose calls lead into some ring: all but those that come to an end."""
    callers: dict[int, list[int]] = {}
    for caller, called in calls.items():
        for function in called:
            callers.setdefault(function, []).append(caller)
    left = {caller: len(called) for caller, called in calls.items()}
    waiting = [function for function in callers if not left.get(function)]
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            left[caller] -= 1
            waiting += [] if left[caller] else [caller]
    return {function for function, count in left.items() if count}


def _reachable(start: int, calls: dict[int, set[int]]) -> set[int]:
    reached: set[int] = set()
    waiting = [*calls[start]]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += calls.get(node, ())
    return reached
