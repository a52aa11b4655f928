"""Rules on a program's shape: syntax that is ruled out or required, and its length."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase

from grader.model.assignment import RuleName
from grader.model.syntax import CONSTRUCTS, written_out
from grader.policy.rule import TOP, Findings, PolicySpec, Program, Rule, clauses, rule


@rule(
    name=RuleName.BANNED_SYNTAX,
    what="The program uses a piece of Python's syntax that this homework rules out.",
    why="The homework practises a way of writing programs that does without it.",
    example="while True:\n    step()",
    instead="Give the loop its real condition, pass values as parameters and return them.",
    written="no: [global, while True, lambda]",
)
def banned_syntax(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    ruled_out = clauses(policy.no, policy)
    for source in program.python() if ruled_out else ():
        for node in ast.walk(source.tree):
            for clause in ruled_out:
                if matches(node, clause.name):
                    yield page.find(source, node, f"`{clause.name}` may not be used here.", why=clause.message)


@rule(
    name=RuleName.REQUIRED,
    what="None of the submission's files has a class, a function or a construct that this homework requires.",
    why="The homework asks for a certain structure; other parts of the course build on it.",
    example="def solve(grid):  # the homework requires `class Maze`\n    return []",
    instead="Add it under exactly the name that the handout gives, and use it.",
    written="require: [class Maze, def solve, for]",
)
def required(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    sources = program.running() if policy.require else []
    for clause in clauses(policy.require, policy) if sources else ():
        if not any(matches(node, clause.name) for source in sources for node in ast.walk(source.tree)):
            yield page.find(sources[0], TOP, f"`{clause.name}` is required, and no file has it.", why=clause.message)


@rule(
    name=RuleName.MAX_LINES,
    what="The Python files together have more lines of code than allowed. Blank lines, comments and docstrings don't "
    "count.",
    why="A short program that says each thing once is part of the task.",
    example="# 130 lines of code, with `max_lines: 120`",
    instead="Look for the same steps written twice and make a function of them.",
    written="max_lines: 120",
)
def max_lines(page: Rule, program: Program, policy: PolicySpec) -> Findings:
    most, before = policy.max_lines or 0, 0
    counted = [(source, sorted(code_lines(source.tree))) for source in program.running()] if most else []
    total = sum(len(lines) for _, lines in counted)
    for source, lines in counted:
        if before <= most < before + len(lines):
            message = f"The program has {total} lines of code; {most} are allowed."
            yield page.find(source, (lines[most - before], 1), message, why=page.reason(policy))
        before += len(lines)


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


def code_lines(tree: ast.AST) -> set[int]:
    """Return the lines that hold code: a statement's own, of a compound one only its head."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
        if isinstance(node, ast.stmt) and not is_text:
            body = getattr(node, "body", None) or [case.pattern for case in getattr(node, "cases", ())]
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            lines.update(range(node.lineno, end + 1))
    return lines
