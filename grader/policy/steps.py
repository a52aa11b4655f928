"""Single steps of the trace: one operation, one attribute, one gathering."""

from __future__ import annotations

import ast

from grader.policy import folding, library
from grader.policy.values import HOLE, Group, Known, Space, Thing, Value, Values

_ALTERNATIVES = 12

GIVEN_NAMES: dict[str, Value] = {
    "__builtins__": Thing("builtins"),
    "__name__": Known("__main__"),
    "__loader__": Thing("importlib.machinery.SourceFileLoader()"),
    "__spec__": Thing("importlib.machinery.ModuleSpec()"),
}
TELLING_ATTRIBUTES: dict[str, Value] = {
    "__import__": Thing("builtins.__import__"),
    "__builtins__": Thing("builtins"),
    "f_builtins": Space("builtins"),
}


def distinct(values: Values) -> Values:
    try:
        return tuple(dict.fromkeys(values))[:_ALTERNATIVES] if len(values) > 1 else values
    except TypeError:
        return values[:_ALTERNATIVES]  # slices and dictionaries can't be told apart by hash


def gather(members: list[Values]) -> Value:
    """Make one constant of members that are all plain, or a group."""
    plain = [member[0].value for member in members if len(member) == 1 and isinstance(member[0], Known)]
    return Known(tuple(plain)) if len(plain) == len(members) else Group(tuple(members))


def operate(kind: type[ast.AST], left: Value, right: Value) -> Value:
    if isinstance(left, Known) and isinstance(right, Known):
        return Known(folding.operation(kind, left.value, right.value))
    if kind is ast.Mod and isinstance(left, Known) and isinstance(left.value, str) and isinstance(right, Group):
        parts = [m[0].value if len(m) == 1 and isinstance(m[0], Known) else HOLE for m in right.members]
        return Known(folding.operation(kind, left.value, tuple(parts)))
    if kind is ast.Add and isinstance(left, Known) and isinstance(left.value, str):
        return Known(left.value + HOLE)
    if kind is ast.Add and isinstance(right, Known) and isinstance(right.value, str):
        return Known(HOLE + right.value)
    if kind is ast.Mod and isinstance(left, Known) and isinstance(left.value, str):
        return Known(folding.operation(kind, left.value, HOLE))
    raise ValueError


def thing_attribute(path: str, name: str) -> Value:
    if name == "__dict__":
        return Space(path)
    if name in {"__globals__", "f_globals"}:
        return Space(_home(path))
    if name == "__self__" and path.startswith("builtins."):
        return Thing("builtins")
    if name in TELLING_ATTRIBUTES:
        return TELLING_ATTRIBUTES[name]
    try:
        return Known(folding.constant(f"{path}.{name}"))
    except ValueError:
        return Thing(library.step(path, name))


def _home(path: str) -> str:
    while path and not library.is_module(path):
        path = path.rpartition(".")[0]
    return path
