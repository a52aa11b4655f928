"""Names of syntax, as assignments write them: `global`, `while True`, `class Maze`."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from functools import cache

_KINDS: dict[str, tuple[type[ast.AST], ...]] = {
    "global": (ast.Global,),
    "nonlocal": (ast.Nonlocal,),
    "while": (ast.While,),
    "for": (ast.For, ast.AsyncFor),
    "if": (ast.If, ast.IfExp),
    "lambda": (ast.Lambda,),
    "class": (ast.ClassDef,),
    "def": (ast.FunctionDef, ast.AsyncFunctionDef),
    "try": (ast.Try,),
    "with": (ast.With, ast.AsyncWith),
    "assert": (ast.Assert,),
    "yield": (ast.Yield, ast.YieldFrom),
    "async": (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith),
    "await": (ast.Await,),
    "break": (ast.Break,),
    "continue": (ast.Continue,),
    "del": (ast.Delete,),
    "match": (ast.Match,),
    "raise": (ast.Raise,),
    "return": (ast.Return,),
    "import": (ast.Import, ast.ImportFrom),
    "comprehension": (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    "list comprehension": (ast.ListComp,),
    "generator expression": (ast.GeneratorExp,),
    "f-string": (ast.JoinedStr,),
    "walrus": (ast.NamedExpr,),
    "slice": (ast.Slice,),
    "decorator": (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
}


def is_known(name: str) -> bool:
    """Say whether an assignment may ask for this."""
    return name in _KINDS or name.partition(" ")[0] in _KINDS or _wanted(name) is not None


def matches(node: ast.AST, name: str) -> bool:
    """Say whether a node is what `name` speaks of."""
    if name in _KINDS:
        return isinstance(node, _KINDS[name]) and (name != "decorator" or bool(getattr(node, "decorator_list", [])))
    word, _, rest = name.partition(" ")
    if word in {"class", "def"} and isinstance(node, _KINDS[word]):
        return fnmatchcase(getattr(node, "name", ""), rest)
    if word == "import" and isinstance(node, ast.Import | ast.ImportFrom):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        return rest in names
    wanted = _wanted(name)
    return wanted is not None and type(node) is type(wanted) and _same_head(node, wanted)


@cache
def _wanted(name: str) -> ast.AST | None:
    """Give the statement that a text such as `while True` begins, or the expression that it is."""
    for text in (f"{name}: pass", name):
        try:
            (statement,) = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return statement.value if isinstance(statement, ast.Expr) else statement
    return None


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
