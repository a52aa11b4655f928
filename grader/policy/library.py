"""What Python's library holds: which module has which name, and where the name really comes from.

Only files below the library's own root are read, so the answers are the same wherever this Python is installed.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import re
import sys
import sysconfig
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(sysconfig.get_paths()["stdlib"])
_STEPS = 8
"""Hops from module to module that one name takes at most."""
BUILTINS = frozenset(dir(builtins))


@lru_cache(4096)
def _file(module: str) -> Path | None:
    top, *names = module.split(".")
    if top not in sys.stdlib_module_names or not all(name.isidentifier() for name in names):
        return None
    place = _ROOT.joinpath(top, *names)
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _text(module: str) -> str:
    path = _file(module)
    return path.read_text("utf-8") if path else ""


@lru_cache(4096)
def resolve(dotted: str, hops: int = 0) -> str:
    """Return the dotted path under which a thing was made: `dataclasses.copy` is `copy`."""
    current, *names = dotted.split(".")
    for name in names:
        real = _imports(current).get(name) if hops < _STEPS and _file(current) else None
        ahead = f"{current}.{name}"
        current = resolve(real, hops + 1) if real and real != ahead else ahead
    return current


def called(ban: str) -> str:
    """Say what an entry of a ban is."""
    if ban in BUILTINS:
        return "a builtin that is banned here"
    return f"the banned {'module' if '.' not in ban or _file(ban) else 'name'} `{ban}`"


def functions(module: str) -> list[ast.FunctionDef]:
    """Return every function of a library module that is written in Python."""
    return [node for node in ast.walk(ast.parse(_text(module))) if isinstance(node, ast.FunctionDef)]


@cache
def _imports(module: str) -> dict[str, str]:
    """Return what a library module imported or renamed at its top: name → dotted path."""
    table: dict[str, str] = {}
    is_package = str(_file(module)).endswith("__init__.py")
    for statement in reversed([*_top(_statements(module))]):
        table |= dict(bindings(statement, module if is_package else module.rpartition(".")[0]))
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            table.setdefault(statement.targets[0].id, f"{module}.{ast.unparse(statement.value)}")
    return table


def _statements(module: str) -> list[ast.stmt]:
    """Parse the statements at the top of a module that import or rename, and no others: modules are long."""
    found: list[ast.stmt] = []
    for piece in re.split(r"\n(?=[a-zA-Z_])(?!except|else|elif|finally)", _text(module)):
        if re.match(r"import |from |try:|if |with |\w+ = \w+\.[\w.]+$", piece):
            with contextlib.suppress(SyntaxError):  # a word of a docstring
                found += ast.parse(piece).body
    return found


def _top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if isinstance(statement, ast.If | ast.Try | ast.With):
            handlers = [s for handler in getattr(statement, "handlers", []) for s in handler.body]
            yield from _top([*statement.body, *handlers, *getattr(statement, "orelse", [])])


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
