"""Traces what each kind of expression may be worth."""

from __future__ import annotations

import ast
import posixpath
from typing import TYPE_CHECKING

from grader.policy import folding
from grader.policy.calls import call
from grader.policy.members import ELEMENTS, attribute, elements, subscript
from grader.policy.steps import gather, operate
from grader.policy.values import HOLE, Defined, Group, Known, Pool, Values

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.policy.scopes import Scope
    from grader.policy.trace import Trace


def _constant(_: Trace, node: ast.Constant, __: Scope) -> Values:
    return (Known(node.value),) if isinstance(node.value, str | bytes | int | float | None) else ()


def _name(trace: Trace, node: ast.Name, scope: Scope) -> Values:
    return trace.lookup(node.id, scope)


def _slice(trace: Trace, node: ast.Slice, scope: Scope) -> Values:
    parts = (node.lower, node.upper, node.step)
    ends = [_only(trace, part, scope) if part is not None else None for part in parts]
    return (Known(slice(*ends)),)


def _only(trace: Trace, node: ast.AST, scope: Scope) -> object:
    (value,) = trace.values(node, scope)
    if not isinstance(value, Known):
        raise TypeError
    return value.value


def _operation(trace: Trace, node: ast.BinOp, scope: Scope) -> Values:
    left, right = trace.values(node.left, scope), trace.values(node.right, scope)
    if isinstance(node.op, ast.Div):
        paths = [(a.value, b.value) for a in left for b in right if isinstance(a, Known) and isinstance(b, Known)]
        return tuple(Known(posixpath.join(a, b)) for a, b in paths if isinstance(a, str) and isinstance(b, str))
    if not left and not right:
        return ()
    blank: Values = (Known(HOLE),)
    return tuple(operate(type(node.op), a, b) for a in (left or blank)[:6] for b in (right or blank)[:6])


def _minus(trace: Trace, node: ast.UnaryOp, scope: Scope) -> Values:
    if not isinstance(node.op, ast.USub):
        return ()
    operands = trace.values(node.operand, scope)
    return tuple(Known(-v.value) for v in operands if isinstance(v, Known) and isinstance(v.value, int))


def _formatted(trace: Trace, node: ast.JoinedStr, scope: Scope) -> Values:
    parts: list[object] = []
    for piece in node.values:
        inside = piece.value if isinstance(piece, ast.FormattedValue) and piece.conversion < 0 else piece
        values = trace.values(inside, scope)
        plain = len(values) == 1 and isinstance(values[0], Known) and not getattr(piece, "format_spec", None)
        parts.append(values[0].value if plain and isinstance(values[0], Known) else None)
    return (Known(folding.joined(parts)),)


def _sequence(trace: Trace, node: ast.Tuple | ast.List | ast.Set, scope: Scope) -> Values:
    members: list[Values] = []
    for item in node.elts[:ELEMENTS]:
        inner = item.value if isinstance(item, ast.Starred) else item
        values = trace.values(inner, scope)
        members += elements(values[0]) if isinstance(item, ast.Starred) and values else [values]
    return (gather(members),)


def _mapping(trace: Trace, node: ast.Dict, scope: Scope) -> Values:
    keys: list[object] = []
    members: list[Values] = []
    for key, value in zip(node.keys[:ELEMENTS], node.values, strict=False):
        known = trace.values(key, scope) if key is not None else ()
        keys.append(known[0].value if known and isinstance(known[0], Known) else None)
        members.append(trace.values(value, scope))
    return (Group(tuple(members), tuple(keys)),)


def _comprehension(trace: Trace, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> Values:
    generator, inner = node.generators[0], trace.inner_of(id(node))
    sources = trace.values(generator.iter, scope)
    if any(isinstance(source, Pool) for source in sources):
        return tuple(source for source in sources if isinstance(source, Pool))
    plain = len(node.generators) == 1 and isinstance(generator.target, ast.Name) and not generator.ifs
    if not plain or len(sources) != 1 or inner is None:
        return ()
    assert isinstance(generator.target, ast.Name)
    name = generator.target.id
    return (gather([trace.follow(node.elt, inner, {name: element}) for element in elements(sources[0])]),)


def _either(trace: Trace, node: ast.IfExp, scope: Scope) -> Values:
    return trace.values(node.body, scope) + trace.values(node.orelse, scope)


def _any_of(trace: Trace, node: ast.BoolOp, scope: Scope) -> Values:
    return tuple(v for part in node.values for v in trace.values(part, scope))


def _inside(trace: Trace, node: ast.NamedExpr | ast.Await | ast.Starred, scope: Scope) -> Values:
    return trace.values(node.value, scope)


def _defined(_: Trace, node: ast.Lambda, __: Scope) -> Values:
    return (Defined(id(node)),)


HANDLERS: dict[type[ast.AST | None], Callable[..., Values]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: attribute,
    ast.Subscript: subscript,
    ast.Slice: _slice,
    ast.BinOp: _operation,
    ast.UnaryOp: _minus,
    ast.JoinedStr: _formatted,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Set: _sequence,
    ast.Dict: _mapping,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.Call: call,
    ast.IfExp: _either,
    ast.BoolOp: _any_of,
    ast.NamedExpr: _inside,
    ast.Await: _inside,
    ast.Starred: _inside,
    ast.Lambda: _defined,
}
"""Kind of expression → what gives its values; nothing is known of the other kinds."""
