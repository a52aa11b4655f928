"""Traces what a name is: its bindings, its calls' arguments, the builtins."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy import library
from grader.policy.members import attribute_of, elements, imported, item
from grader.policy.scopes import Binding, How, Scope
from grader.policy.steps import GIVEN_NAMES, distinct, operate
from grader.policy.values import HOLE, Defined, Known, Own, Thing, Value, Values

if TYPE_CHECKING:
    from grader.policy.trace import Trace


def bound(trace: Trace, bindings: list[Binding]) -> Values:
    """Give everything that the bindings of one name give it, in the order of the file."""
    found: list[Value] = []
    ordered = sorted(bindings, key=_place) if len(bindings) > 1 else bindings
    for binding in ordered[:50]:
        if binding.how is How.ADDED:
            found = list(_added(trace, binding, tuple(found)))
        else:
            found += _one(trace, binding)
    return distinct(tuple(found))


def free(trace: Trace, name: str, scope: Scope) -> Values:
    """Give what a name is that the file binds nowhere: from a star import, or a builtin."""
    for star in scope.module.stars:
        own, _ = trace.desk.own(star, trace.path)
        if own is not None:
            found = attribute_of(trace, Own(own), name)
            if found:
                return found
        elif library.is_module(star) and name in library.public(star):
            return (Thing(library.resolve(f"{star}.{name}")),)
    if name in GIVEN_NAMES:
        return (GIVEN_NAMES[name],)
    if name == "__file__":
        return (Known(f"{HOLE}/{trace.path}"),)
    return (Thing(f"builtins.{name}"),) if name in library.BUILTINS else ()


def _place(binding: Binding) -> tuple[int, int]:
    return getattr(binding.node, "lineno", 0), getattr(binding.node, "col_offset", 0)


def _one(trace: Trace, binding: Binding) -> Values:
    how, node, scope, place, target = binding
    if how is How.VALUE:
        return trace.values(node, scope)
    if how is How.ELEMENT:
        return tuple(v for value in trace.values(node, scope) for e in elements(value) for v in e)
    if how is How.PART:
        return tuple(v for value in trace.values(node, scope) for v in item(trace, value, Known(place)))
    if how is How.IMPORT:
        return imported(trace, target)
    if how is How.DEFINED:
        return (Defined(id(node)),)
    return _parameter(trace, node, place) if how is How.PARAMETER else ()


def _added(trace: Trace, binding: Binding, before: Values) -> Values:
    node = binding.node
    assert isinstance(node, ast.AugAssign)
    after = trace.values(node.value, binding.scope)
    return tuple(operate(type(node.op), left, right) for left in before[:4] for right in after[:4])


def _parameter(trace: Trace, node: ast.AST, place: int) -> Values:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    named = [*positional, *arguments.kwonlyargs]
    outside = trace.survey.inner[id(node)].parent if id(node) in trace.survey.inner else None
    if place == 0 and outside is not None and outside.is_class:
        return (Defined(id(outside.node)),)
    found: list[Value] = []
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    default = [*defaults, *arguments.defaults, *arguments.kw_defaults][place]
    if default is not None and outside is not None:
        found += trace.values(default, outside)
    for site, scope in trace.calls_of(getattr(node, "name", "") or _name_of(trace, node)):
        shift = 1 if isinstance(site.func, ast.Attribute) and named[0].arg in {"self", "cls"} else 0
        if 0 <= place - shift < len(site.args) and not isinstance(site.args[place - shift], ast.Starred):
            found += trace.values(site.args[place - shift], scope)
        found += [
            v for word in site.keywords if word.arg == named[place].arg for v in trace.values(word.value, scope)
        ]
    return tuple(found)


def _name_of(trace: Trace, node: ast.AST) -> str:
    """Give the name that a lambda was given."""
    scopes = (trace.survey.scope, *trace.survey.inner.values())
    named = (name for scope in scopes for name, found in scope.names.items() for b in found if b.node is node)
    return next(named, "")
