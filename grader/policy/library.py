"""Reads the running Python's library: which name leads where.

`os.sys` is `sys`, `collections._chain` is `itertools.chain`: a module's top-level imports are read from its source,
when first asked for, and kept in the user's cache folder. Nothing of the library is imported for it.
"""

from __future__ import annotations

import ast
import builtins
import os
import re
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from grader.policy import stored

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(sysconfig.get_paths()["stdlib"])
_ASIDE = {"test", "tests", "idlelib", "lib2to3", "site-packages", "__pycache__", "turtledemo", "ensurepip"}
_STEPS = 12
BUILTINS = frozenset(dir(builtins))


@cache
def is_module(name: str) -> bool:
    """Say whether the library has a module of this dotted name."""
    top = name.partition(".")[0]
    if top not in sys.stdlib_module_names:
        return False
    return name in sys.builtin_module_names or name == top or source_of(name) is not None or name == "os.path"


@cache
def source_of(name: str) -> Path | None:
    """Give the file that holds a library module's source, if it has one."""
    place = ROOT.joinpath(*("posixpath" if name == "os.path" else name).split("."))
    for candidate in (place.with_suffix(".py"), place / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def resolve(path: str) -> str:
    """Give the canonical path of a dotted path through library modules."""
    first, *rest = path.split(".")
    for part in rest:
        first = step(first, part)
    return first


@cache
def step(current: str, attribute: str, depth: int = 0) -> str:
    """Follow one attribute from a canonical path."""
    ahead = f"{current}.{attribute}"
    if depth > _STEPS or not is_module(current):
        return ahead
    table = exports(current)
    if attribute in table:
        first, *rest = table[attribute].split(".")
        for part in rest:
            first = step(first, part, depth + 1)
        return first
    if is_module(ahead):
        return ahead
    for star in table.get("*", "").split():
        if attribute in exports(star) or is_module(f"{star}.{attribute}"):
            return step(star, attribute, depth + 1)
    return ahead


def public(module: str) -> frozenset[str]:
    """Give the imported names that a star import would bring along: none where `__all__` rules."""
    table = exports(module)
    if "__all__" in table:
        return frozenset()
    return frozenset(name for name in table if not name.startswith("_") and name != "*")


@cache
def exports(module: str) -> dict[str, str]:
    """Give what a library module imported at its top: name → dotted path; `*` holds its star imports."""
    kept = stored.exports()
    if module not in kept:
        path = source_of(module)
        kept[module] = dict(reversed([*_read_exports(module, path)])) if path else {}
        stored.mark()
    return kept[module]


def _read_exports(module: str, path: Path) -> Iterator[tuple[str, str]]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    stars = []
    for statement in _top_level(ast.parse(path.read_bytes()).body):
        for name, target in bindings_of(statement, package):
            if name == "*":
                stars.append(target)
            else:
                yield name, target
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            if statement.targets[0].id == "__all__":
                yield "__all__", "builtins.list"
            elif isinstance(statement.value, ast.Attribute) and isinstance(statement.value.value, ast.Name):
                yield statement.targets[0].id, f"{module}.{statement.value.value.id}.{statement.value.attr}"
    if stars:
        yield "*", " ".join(stars)


def _top_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        for field in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(statement, ast.If | ast.Try | ast.With):
                yield from _top_level(getattr(statement, field, []))
            elif isinstance(statement, ast.ExceptHandler):
                yield from _top_level(statement.body if field == "body" else [])


def bindings_of(statement: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Give what an import statement binds: name → dotted path."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield (
                alias.asname or alias.name.partition(".")[0],
                (alias.name if alias.asname else alias.name.partition(".")[0]),
            )
    elif isinstance(statement, ast.ImportFrom):
        home = absolute(statement.module or "", statement.level, package)
        for alias in statement.names:
            yield alias.asname or alias.name, home if alias.name == "*" else f"{home}.{alias.name}"


def absolute(module: str, level: int, package: str) -> str:
    """Give the dotted path that a relative import means."""
    if not level:
        return module
    parts = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join(part for part in (*parts, module) if part)


@cache
def holders(banned: tuple[str, ...]) -> frozenset[str]:
    """Give every name under which some library module holds a piece of the banned ones."""
    key = " ".join(sorted(banned))
    kept = stored.words()
    if key not in kept:
        kept[key] = sorted(_read_holders(banned))
        stored.mark()
    return frozenset(kept[key])


def _read_holders(banned: tuple[str, ...]) -> set[str]:
    tops = "|".join(re.escape(name.partition(".")[0]) for name in banned)
    listed = rf"from[ \t]+(?:{tops})[ \t]+import[ \t]+(?:\([^)]*\)|[^\n#;(]+)"
    pattern = re.compile(rf"{listed}|import[ \t]+[^\n#;]*\b(?:{tops})\b[^\n#;]*")
    words = set()
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in _ASIDE]
        for name in names:
            if name.endswith(".py"):
                text = Path(folder, name).read_text("utf-8", "replace")
                words |= {word for found in pattern.findall(text) for word in re.findall(r"\w+", found)}
    return words - {"import", "from", "as"}
