"""The rule on recursion: required, or forbidden."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Any

from grader.model.assignment import Recursion, RuleName
from grader.policy.look import Function
from grader.policy.rule import TOP, Findings, PolicySpec, Program, Rule, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.look import Look, Scope

_MOST = 20
"""Rings of calls that are shown; each is looked for again."""


@rule(
    name=RuleName.RECURSION,
    what="The homework requires a function that calls itself (directly or through others), or forbids one.",
    why="The homework practises one of the two ways to repeat a step: recursion or a loop.",
    example="def walk(cell):  # with `recursion: forbidden`\n    walk(next_cell(cell))",
    instead="For recursion: let the function call itself on a smaller problem. Without it: use a loop, and a list as "
    "a stack.",
    written="recursion: required  # or forbidden",
)
def recursion(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    if policy.recursion is None:
        return
    why = page.reason(policy)
    is_forbidden = policy.recursion is Recursion.FORBIDDEN
    sources = program.running()
    found = [(s, f) for s in sources for f in _recursive(program.look(s), strict=is_forbidden)]
    for source, function in found if is_forbidden else ():
        name = getattr(function, "name", "this lambda")
        yield page.find(source, function, f"`{name}` is recursive, which is not allowed here.", why=why)
    if not is_forbidden and not found and sources:
        yield page.find(sources[0], TOP, "A recursive function is required, and no function calls itself.", why=why)


def _recursive(look: Look, *, strict: bool) -> Iterator[ast.AST]:
    """Yield the functions from which calls lead back to themselves.

    A method called on something unknown (`child.depth()` in `depth`) counts unless `strict`.
    """
    calls: dict[ast.AST, set[ast.AST]] = {node: set() for node in look.scopes if isinstance(node, Function)}
    for call, scope in look.scopes.items():
        caller = _around(scope, Function) if isinstance(call, ast.Call) else None
        for part in (call.func, *call.args) if caller and isinstance(call, ast.Call) else ():
            calls[caller.node] |= calls.keys() & _targets(part, scope, strict=strict)  # type: ignore[union-attr]
    for _ in range(_MOST):
        try:
            return TopologicalSorter(calls).prepare()
        except CycleError as error:
            ring = set(error.args[1])
            yield from ring
            calls = {caller: called - ring for caller, called in calls.items() if caller not in ring}


def _around(scope: Scope | None, kinds: Any) -> Scope | None:
    while scope is not None and not isinstance(scope.node, kinds):
        scope = scope.outer
    return scope


def _targets(part: ast.expr, scope: Scope, *, strict: bool) -> set[ast.AST | None]:
    """Return the functions that a called expression may be."""
    holder, name = (scope.holder(part.id), part.id) if isinstance(part, ast.Name) else (None, "")
    if isinstance(part, ast.Attribute):
        inner, name = _around(scope, ast.ClassDef), part.attr
        owner = getattr(part.value, "id", "") if inner else ""
        holder = inner if not strict or owner in {"self", "cls", getattr(inner and inner.node, "name", "")} else None
    bound = holder.names.get(name, ()) if holder else ()
    return {value for value in bound if isinstance(value, Function)}
