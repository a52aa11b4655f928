"""Scopes: which binding a name means, by Python's own rules."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast


class How(Enum):
    """How a name came to its value."""

    VALUE = auto()  # node is the expression
    ELEMENT = auto()  # node is what is iterated over
    PART = auto()  # node is the expression, place the position in it
    ADDED = auto()  # node is an augmented assignment
    IMPORT = auto()  # target is the dotted path
    DEFINED = auto()  # node is a function or class
    PARAMETER = auto()  # node is the function, place the parameter's position
    OPAQUE = auto()  # nothing is known: patterns, exceptions, deletions


class Binding(NamedTuple):
    how: How
    node: ast.AST
    scope: Scope
    place: int = 0
    target: str = ""


class Scope:
    """One scope with the bindings made in it, in the order of the walk."""

    __slots__ = ("is_class", "names", "node", "outside", "parent", "stars")

    def __init__(self, parent: Scope | None, node: ast.AST, *, is_class: bool = False) -> None:
        self.parent = parent
        self.node = node
        self.is_class = is_class
        self.names: dict[str, list[Binding]] = {}
        self.outside: set[str] = set()
        """Names that `global` or `nonlocal` sends elsewhere."""
        self.stars: list[str] = []

    @property
    def module(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def bind(self, name: str, binding: Binding) -> None:
        home = self.module if name in self.outside else self
        home.names.setdefault(name, []).append(binding)

    def find(self, name: str) -> list[Binding] | None:
        """Give the bindings that `name` means when read here; class bodies are skipped from inside functions."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found and (scope is self or not scope.is_class):
                return found
            scope = scope.parent
        return None
