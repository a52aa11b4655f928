"""Traces what stands inside a value: attributes, items, elements, imported names."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, Any

from grader.policy import library
from grader.policy.steps import TELLING_ATTRIBUTES, thing_attribute
from grader.policy.values import Bound, Defined, Group, Known, Own, Pool, Space, Thing, Value, Values

if TYPE_CHECKING:
    import ast

    from grader.policy.scopes import Scope
    from grader.policy.trace import Trace

ELEMENTS = 2_000
"""Members of one container that are looked at."""


def imported(trace: Trace, target: str) -> Values:
    """Give what the import of a dotted path brings: the submission's own file first."""
    own, rest = trace.desk.own(target, trace.path)
    if own is None:
        return (Thing(library.resolve(target)),)
    values: Values = (Own(own),)
    for part in rest:
        values = tuple(v for value in values for v in attribute_of(trace, value, part))
    return values


def attribute(trace: Trace, node: ast.Attribute, scope: Scope) -> Values:
    """Give what `value.attr` may be."""
    bases = trace.values(node.value, scope)
    found = [v for base in bases for v in attribute_of(trace, base, node.attr)]
    if all(isinstance(base, Defined) for base in bases):
        fields = trace.survey.fields.get(node.attr, [])
        found += [v for value, where in fields[:20] for v in trace.values(value, where)]
    if not bases and node.attr in TELLING_ATTRIBUTES:
        found.append(TELLING_ATTRIBUTES[node.attr])
    return tuple(found)


def attribute_of(trace: Trace, base: Value, name: str) -> Values:
    """Give what the attribute of a value is."""
    if isinstance(base, Thing):
        return (thing_attribute(base.path, name),)
    if isinstance(base, Own):
        return trace.desk.attribute(base.path, name)
    if isinstance(base, Pool):
        return (base,)
    if isinstance(base, Defined):
        inner = trace.inner_of(base.key)
        return trace.lookup(name, inner) if inner is not None and inner.is_class and name in inner.names else ()
    if isinstance(base, Bound) and name == "func":
        return (base.function,)
    if isinstance(base, Known) and isinstance(base.value, str) and name in {"parent", "name"}:
        return (Known((posixpath.dirname if name == "parent" else posixpath.basename)(base.value)),)
    return (Bound(base, (), name),)


def subscript(trace: Trace, node: ast.Subscript, scope: Scope) -> Values:
    """Give what `value[key]` may be."""
    keys = trace.values(node.slice, scope)
    found = [v for base in trace.values(node.value, scope) for key in keys or (None,) for v in item(trace, base, key)]
    if not found and any(isinstance(key, Known) and key.value == "__import__" for key in keys):
        found.append(Thing("builtins.__import__"))
    return tuple(found)


def item(trace: Trace, base: Value, key: Value | None) -> Values:
    """Give what `base[key]` is."""
    known = key.value if isinstance(key, Known) else None
    if isinstance(base, Known) and known is not None and isinstance(base.value, str | bytes | tuple | dict):
        container: Any = base.value
        return (Known(container[known]),)
    if isinstance(base, Space) and isinstance(known, str):
        return (thing_attribute(base.path, known),)
    if base == Thing("sys.modules") and isinstance(known, str):
        return imported(trace, known)
    if isinstance(base, Group):
        if base.keys and known in base.keys:
            return base.members[base.keys.index(known)]
        if not base.keys and isinstance(known, int) and -len(base.members) <= known < len(base.members):
            return base.members[known]
        return tuple(v for member in base.members for v in member)
    return (base,) if isinstance(base, Pool) else ()


def elements(value: Value) -> list[Values]:
    """Give what going through a value yields, in order."""
    if isinstance(value, Known) and isinstance(value.value, str | bytes | tuple | dict):
        return [(Known(part),) for part in [*value.value][:ELEMENTS]]
    if isinstance(value, Group):
        return [(Known(key),) for key in value.keys] or [*value.members]
    return [(value,)] if isinstance(value, Pool) else []
