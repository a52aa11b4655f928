"""Syntax that the homework rules out is used."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase

from grader.model.syntax import CONSTRUCTS, written_out
from grader.policy.rule import Findings, Page, PolicySpec, Program, clauses

PAGE = Page(
    name="banned-syntax",
    what="The program uses a piece of Python's syntax that this homework rules out.",
    why="The homework practises a way of writing programs that does without it.",
    example="while True:\n    step()",
    instead="Give the loop its real condition, pass values as parameters and return them.",
    written="no: [global, while True, lambda]",
)


def check(program: Program, policy: PolicySpec) -> Findings:
    ruled_out = clauses(policy.no, policy)
    for source in program.python() if ruled_out else ():
        for node in ast.walk(source.module):
            for clause in ruled_out:
                if matches(node, clause.name):
                    yield PAGE.find(source, node, f"`{clause.name}` may not be used here.", why=clause.message)


def matches(node: ast.AST, name: str) -> bool:
    """Tell whether a node is what `name` speaks of: `global`, `class Maze`, `import random`, `while True`."""
    if name in CONSTRUCTS:
        is_kind = isinstance(node, CONSTRUCTS[name])
        return is_kind and (name != "decorator" or bool(getattr(node, "decorator_list", [])))
    word, _, rest = name.partition(" ")
    if word in {"class", "def"} and isinstance(node, CONSTRUCTS[word]):
        return fnmatchcase(getattr(node, "name", ""), rest)
    if word == "import" and isinstance(node, ast.Import | ast.ImportFrom):
        return rest in ([a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    wanted = written_out(name)
    if wanted is None or type(node) is not type(wanted):
        return False
    if isinstance(node, ast.While | ast.If) and isinstance(wanted, ast.While | ast.If):
        return _truth(node.test) == _truth(wanted.test)
    if isinstance(node, ast.Call) and isinstance(wanted, ast.Call):
        return _dump(node.func) == _dump(wanted.func)
    return _dump(node) == _dump(wanted)


def _truth(test: ast.expr) -> str:
    """Return a test in one spelling: `while 1` is `while True`."""
    if isinstance(test, ast.Constant):
        return str(bool(test.value))
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Constant):
        return str(not test.operand.value)
    return _dump(test)


def _dump(node: ast.AST) -> str:
    nodes = [part for _, part in zip(range(60), ast.walk(node), strict=False)]
    return ast.dump(node) if len(nodes) < 60 else ""
