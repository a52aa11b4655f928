"""Names of syntax, as assignments write them: `global`, `while True`, `class Maze`."""

from __future__ import annotations

import ast
import re
from functools import cache

CONSTRUCTS: dict[str, tuple[type[ast.AST], ...]] = {
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
"""Word → the parts of a syntax tree that it speaks of."""
_NAMED = re.compile(r"(class|def) [\w*?\[\]!-]+|import [\w.]+")


def is_known(name: str) -> bool:
    """Say whether an assignment may ask for this; a bare word that is no construct is a slip of the pen."""
    if name in CONSTRUCTS or _NAMED.fullmatch(name):
        return True
    if name.partition(" ")[0] in {"class", "def", "import"}:
        return False
    written = written_out(name)
    if isinstance(written, ast.While | ast.If) and isinstance(written.test, ast.Name):
        return False  # `while Ture`
    return not isinstance(written, ast.Name | None)


@cache
def written_out(name: str) -> ast.AST | None:
    """Give the statement that a text such as `while True` begins, or the expression that it is."""
    for text in (f"{name}: pass", name):
        try:
            (statement,) = ast.parse(text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return statement.value if isinstance(statement, ast.Expr) else statement
    return None
