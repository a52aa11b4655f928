"""Says whether a piece of a program is what an assignment names."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase

from grader.model.syntax import CONSTRUCTS, written_out


def matches(node: ast.AST, name: str) -> bool:
    """Say whether a node is what `name` speaks of."""
    if name in CONSTRUCTS:
        is_kind = isinstance(node, CONSTRUCTS[name])
        return is_kind and (name != "decorator" or bool(getattr(node, "decorator_list", [])))
    word, _, rest = name.partition(" ")
    if word in {"class", "def"} and isinstance(node, CONSTRUCTS[word]):
        return fnmatchcase(getattr(node, "name", ""), rest)
    if word == "import" and isinstance(node, ast.Import | ast.ImportFrom):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return rest in names
    wanted = written_out(name)
    return wanted is not None and type(node) is type(wanted) and _same_head(node, wanted)


def _same_head(node: ast.AST, wanted: ast.AST) -> bool:
    if isinstance(node, ast.While | ast.If) and isinstance(wanted, ast.While | ast.If):
        return _truth(node.test) == _truth(wanted.test)
    if isinstance(node, ast.Call) and isinstance(wanted, ast.Call):
        return ast.dump(node.func) == ast.dump(wanted.func)
    return _dump(node) == _dump(wanted)


def _truth(test: ast.expr) -> str:
    """Give a test in one spelling: `while 1` is `while True`."""
    if isinstance(test, ast.Constant):
        return str(bool(test.value))
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Constant):
        return str(not test.operand.value)
    return _dump(test)


def _dump(node: ast.AST) -> str:
    try:
        return ast.dump(node)
    except RecursionError:
        return ""
