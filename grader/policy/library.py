"""What Python's library holds: which module has which name, and where the name really comes from.

Only files below the library's own root are read, so the answers are the same wherever this Python is installed.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import os
import re
import sys
import sysconfig
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = sysconfig.get_paths()["stdlib"]
_PACKAGE = "__init__.py"
_ASIDE = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "__pycache__"}
_STEPS = 8
"""Hops from module to module that one name takes at most."""
BUILTINS = frozenset(dir(builtins))


@lru_cache(4096)
def is_module(dotted: str) -> bool:
    """Tell whether the library has a module of this name."""
    return ("." not in dotted and dotted in sys.stdlib_module_names) or dotted in _files()


@lru_cache(4096)
def resolve(dotted: str, hops: int = 0) -> str:
    """Return the dotted path under which a thing was made: `dataclasses.copy` is `copy`."""
    current, *names = dotted.split(".")
    for name in names:
        ahead = f"{current}.{name}"
        table = _imports(current) if hops < _STEPS and is_module(current) else {}
        if name in table:
            ahead = resolve(table[name], hops + 1) if table[name] != ahead else ahead
        elif table and not is_module(ahead):
            stars = [star for star in table.get("*", "").split() if name in members(star)]
            ahead = resolve(f"{stars[0]}.{name}", hops + 1) if stars else ahead
        current = ahead
    return current


@lru_cache(256)
def members(module: str) -> frozenset[str]:
    """Return every name at the top of a library module."""
    if module not in _files():
        return frozenset(dir(importlib.import_module(module)) if module in sys.builtin_module_names else ())
    made = re.findall(r"^(?:def |class |async def )?(\w+)(?=\(|:| =)", _text(module), re.MULTILINE)
    return frozenset([*made, *_imports(module)])


def holds(module: str) -> dict[str, str]:
    """Return what a library module took from others: name → where it really comes from."""
    table = _imports(module) if is_module(module) else {}
    return {name: resolve(path) for name, path in table.items() if name != "*"}


def telling(ban: str) -> list[str]:
    """Return the names of what is banned that tell it from anything else."""
    names = members(ban) if is_module(ban) else {ban.rpartition(".")[2]}
    return sorted(n for n in names if n[0] != "_" and n.lower() != "error" and not is_module(n))


def called(ban: str) -> str:
    """Say what an entry of a ban is."""
    if ban in BUILTINS:
        return "a builtin that is banned here"
    return f"the banned {'module' if is_module(ban) or '.' not in ban else 'name'} `{ban}`"


@lru_cache(256)
def makers(module: str) -> dict[str, str]:
    """Return what keeps or returns something that was made elsewhere: name of a function or attribute → maker."""
    found: dict[str, str] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.FunctionDef):
            parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Return) and part.value]
            found |= dict.fromkeys([node.name], next(map(dotted, parts), ""))
        elif isinstance(node, ast.Assign):
            calls = [part for part in ast.walk(node.value) if isinstance(part, ast.Call)]
            name = getattr(node.targets[0], "attr", getattr(node.targets[0], "id", ""))
            found |= dict.fromkeys([name], next(map(dotted, calls), ""))
    return {name: resolve(f"{module}.{maker}") for name, maker in found.items() if maker}


def dotted(node: ast.AST | None) -> str:
    """Return an expression such as `a.b.c` or `a.b.c()` as a dotted path; "" for any other."""
    names: list[str] = []
    node = node.func if isinstance(node, ast.Call) else node
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


@lru_cache(256)
def function_names(module: str) -> frozenset[str]:
    """Return the names of those functions, and maybe some words of docstrings, without parsing the module."""
    return frozenset(re.findall(r"\bdef\s+(\w+)", _text(module)) if is_module(module) else ())


@lru_cache(256)
def functions(module: str) -> dict[str, ast.FunctionDef]:
    """Return every function of a library module that is written in Python."""
    return {node.name: node for node in ast.walk(_tree(module)) if isinstance(node, ast.FunctionDef)}


@cache
def _imports(module: str) -> dict[str, str]:
    """Return what a library module imported at its top: name → dotted path; `*` holds its star imports."""
    table: dict[str, str] = {}
    is_package = _files().get(module, "").endswith(os.sep + _PACKAGE)
    for statement in reversed([*_top(_statements(module))]):
        for name, path in bindings(statement, module if is_package else module.rpartition(".")[0]):
            table[name] = f"{table.get('*', '')} {path}".strip() if name == "*" else path
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            table.setdefault(statement.targets[0].id, f"{module}.{dotted(statement.value)}")
    return table


def _statements(module: str) -> list[ast.stmt]:
    """Parse the statements at the top of a module that import or rename, and no others: modules are long."""
    found: list[ast.stmt] = []
    for piece in re.split(r"\n(?=[a-zA-Z_])(?!except|else|elif|finally)", _text(module)):
        if re.match(r"import |from |try:|if |with |def __getattr__|\w+ = \w+\.[\w.]+$", piece):
            with contextlib.suppress(SyntaxError):  # a word of a docstring
                found += ast.parse(piece).body
    return found


def bindings(statement: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Return what an import statement binds: name → dotted path."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            top = alias.name.partition(".")[0]
            yield alias.asname or top, alias.name if alias.asname else top
    elif isinstance(statement, ast.ImportFrom):
        parents = package.split(".")[: len(package.split(".")) - statement.level + 1] if statement.level else []
        home = ".".join(part for part in (*parents, statement.module or "") if part)
        for alias in statement.names:
            yield alias.asname or alias.name, home if alias.name == "*" else f"{home}.{alias.name}"


def modules(statement: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    """Return what a statement imports: `from os import path` may mean `os` or `os.path`."""
    is_plain = isinstance(statement, ast.Import)
    return [a.name for a in statement.names] if is_plain else [path for _, path in bindings(statement, package)]


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if getattr(statement, "name", "") == "__getattr__":  # names that are made when asked for
            found = [s for s in ast.walk(statement) if isinstance(s, ast.ImportFrom)]
            yield from (ast.ImportFrom(s.module, [ast.alias(a.name) for a in s.names], s.level) for s in found)
        if isinstance(statement, ast.If | ast.Try | ast.With):
            handlers = [s for handler in getattr(statement, "handlers", []) for s in handler.body]
            yield from _top([*statement.body, *handlers, *getattr(statement, "orelse", [])])


@cache
def _files() -> dict[str, str]:
    """Return the library's files by their modules, listed once: no name that a student writes is looked for."""
    found: dict[str, str] = {}
    for folder, folders, names in os.walk(_ROOT):
        folders[:] = [name for name in folders if name.isidentifier() and name not in _ASIDE]
        package = folder.removeprefix(_ROOT).replace(os.sep, ".").strip(".")
        for name in names:
            if name.endswith(".py"):
                module = "" if name == _PACKAGE else name.removesuffix(".py")
                found[f"{package}.{module}".strip(".")] = f"{folder}{os.sep}{name}"
    return found


def _text(module: str) -> str:
    path = _files().get(module)
    return Path(path).read_text("utf-8") if path else ""


@lru_cache(4)
def _tree(module: str) -> ast.Module:
    return ast.parse(_text(module))
