"""Finds what a program takes from a Python newer than the course's: here it runs, there it would not."""

from __future__ import annotations

import ast
import io
import tokenize
from token import tok_name
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.run import File
    from grader.sandbox.browser.course_python import CoursePython

_GUARDS = (ast.Try, ast.If, ast.IfExp)
"""Whoever asks first needs no warning."""
_NESTING = (3, 12)
"""From this version on, an expression in an f-string may have anything."""
Place = tuple[int, str]
"""A line, and what it has."""


def newer_than(course: CoursePython, files: Iterable[File]) -> str:
    """Name the first thing that the course's Python doesn't have; empty when there is none."""
    for file in files:
        if file.path.endswith(".py") and (found := _found(course, file.content)):
            line, what = found
            return f"line {line} of {file.path} has {what}, and the course runs Python {course.name}"
    return ""


def _found(course: CoursePython, source: bytes) -> Place | None:
    try:
        tree = ast.parse(source)
        return _syntax(course, source) or min(_names(course, tree), default=None)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return None  # not even this Python reads it, and the check says so


def _syntax(course: CoursePython, source: bytes) -> Place | None:
    try:
        ast.parse(source, feature_version=course.version)
    except SyntaxError as error:
        return error.lineno or 1, "syntax of a newer Python"
    return min(_nested(source), default=None) if course.version < _NESTING else None


def _nested(source: bytes) -> Iterator[Place]:
    """Yield f-strings that Python 3.11 can't read: there they end with the first quote that looks like theirs."""
    quotes: list[str] = []
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        kind, text = tok_name[token.type], token.string
        is_inside = len(quotes) > 1 or (quotes and not kind.startswith("FSTRING"))
        if is_inside and (
            quotes[0] in text or "\\" in text or kind == "COMMENT" or (text == "\n" and len(quotes[0]) == 1)
        ):
            yield token.start[0], "an f-string as only newer Pythons read it"
        if kind == "FSTRING_START":
            quotes.append(text.lstrip("rRfFbBuU"))
        elif kind == "FSTRING_END":
            quotes.pop()


def _names(course: CoursePython, tree: ast.Module) -> Iterator[Place]:
    """Yield names of modules that the course's don't have."""
    nodes = list(_unguarded(tree))
    modules: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {each.asname or each.name: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for each in node.names:
                if course.lacks(node.module, each.name):
                    yield node.lineno, f"`{node.module}.{each.name}`"
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id, "")
            if course.lacks(module, node.attr):
                yield node.lineno, f"`{module}.{node.attr}`"


def _unguarded(node: ast.AST) -> Iterator[ast.AST]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += [inner for inner in ast.iter_child_nodes(each) if not isinstance(inner, _GUARDS)]
