"""Finds which of our modules a program needs, by reading their imports."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OURS = ("grader", "reference")


def closure(roots: Iterable[str], *, without: frozenset[str]) -> dict[str, Path]:
    """Give every module of ours that the roots import, directly or not: name → file. Some are left out."""
    found: dict[str, Path] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        path = _file(name)
        if name in found or name in without or path is None:
            continue
        found[name] = path
        waiting += _parents(name)
        waiting += _imports(path)
    return dict(sorted(found.items()))


def whole_packages(names: Iterable[str]) -> Iterator[str]:
    """Name every module of these packages."""
    for name in names:
        package = import_module(name)
        yield from (found.name for found in walk_packages(package.__path__, f"{name}."))


def _file(name: str) -> Path | None:
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:
        return None
    return Path(spec.origin) if spec and spec.origin and spec.origin.endswith(".py") else None


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _imports(path: Path) -> Iterator[str]:
    """Give the names that a file imports; what only a type checker sees doesn't count."""
    waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith(_OURS))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(_OURS):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
