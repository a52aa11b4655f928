"""Scans a submission's files for what the assignment's rules forbid."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.model.result import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import PolicySpec
    from grader.model.run import File


def scan(files: tuple[File, ...], policy: PolicySpec) -> tuple[Finding, ...]:
    """Give every finding, in the order of path, line and column."""
    banned = {entry if isinstance(entry, str) else entry.name for entry in policy.ban}
    return tuple(finding for file in files if file.path.endswith(".py") for finding in _scan_file(file, banned))


def _scan_file(file: File, banned: set[str]) -> Iterator[Finding]:
    try:
        tree = ast.parse(file.content, file.path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        line = getattr(problem, "lineno", 1) or 1
        column = getattr(problem, "offset", 1) or 1
        yield Finding(rule="syntax-error", path=file.path, line=line, column=column, message=str(problem))
        return
    for node in ast.walk(tree):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for name in _imported(node):
            if name.split(".")[0] in banned:
                message = f"`{name}` is banned in this homework."
                line, column = node.lineno, node.col_offset + 1
                yield Finding(rule="banned-import", path=file.path, message=message, line=line, column=column)


def _imported(node: ast.Import | ast.ImportFrom) -> tuple[str, ...]:
    if isinstance(node, ast.Import):
        return tuple(alias.name for alias in node.names)
    return () if node.level else (node.module or "",)
