"""Finds the names that a hasty writer takes for each other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class ConfusedNames:
    """The variables of each statement, and the attributes of each object, in the order of their use."""

    def __init__(self, top: ast.stmt) -> None:
        self._names: dict[int, list[str]] = {}
        self._attributes: dict[str, list[str]] = {}
        self._called = {id(node.func) for node in ast.walk(top) if isinstance(node, ast.Call)}
        own = _own_names(top)
        for node in ast.walk(top):
            if isinstance(node, ast.Attribute) and id(node) not in self._called:
                _add(self._attributes.setdefault(ast.dump(node.value), []), node.attr)
            if isinstance(node, ast.stmt):
                self._note_names(node, own)

    def _note_names(self, statement: ast.stmt, own: set[str]) -> None:
        """Let each variable of a statement know the others of the same statement."""
        loaded = [node for node in _expressions(statement) if isinstance(node, ast.Name) and node.id in own]
        names = list(dict.fromkeys(node.id for node in loaded if isinstance(node.ctx, ast.Load)))
        for node in loaded:
            self._names[id(node)] = names

    def changes(self, node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
        """Yield the next of the names that could stand here instead."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names = self._names.get(id(node), [])
            if len(names) > 1:
                other = names[(names.index(node.id) + 1) % len(names)]
                yield f"name-{other}", ast.Name(id=other, ctx=ast.Load())
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and id(node) not in self._called:
            attributes = self._attributes[ast.dump(node.value)]
            if len(attributes) > 1:
                other = attributes[(attributes.index(node.attr) + 1) % len(attributes)]
                yield f"attribute-{other}", ast.Attribute(value=node.value, attr=other, ctx=ast.Load())


def _own_names(top: ast.stmt) -> set[str]:
    """Return parameters and everything that is assigned inside."""
    parameters = {node.arg for node in ast.walk(top) if isinstance(node, ast.arg)}
    stored = {node.id for node in ast.walk(top) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return (parameters | stored) - {"self", "cls"}


def _expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield what belongs to the statement itself, not to statements inside it."""
    waiting: list[ast.AST] = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.arguments):
            continue
        yield node
        waiting += ast.iter_child_nodes(node)


def _add(names: list[str], name: str) -> None:
    if name not in names:
        names.append(name)
