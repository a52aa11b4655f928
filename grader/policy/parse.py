"""Parses source in bounded time and memory."""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

from grader.policy.values import HOLE

LARGEST = 1 << 20
"""Bytes of source that are still read; a file of homework has a few thousand."""


class Unreadable(NamedTuple):
    """Why a source gave no tree."""

    line: int
    column: int
    what: str
    """The parser's own words."""
    too_much: bool = False
    """It is beyond what this scan reads, rather than wrong."""


def parse(source: bytes | str, path: str = "<text>") -> ast.Module | Unreadable:
    """Give the syntax tree, or why there is none."""
    if len(source) > LARGEST:
        size = f"The file has {len(source) / (1 << 20):.1f} MiB; the scan reads files up to 1 MiB."
        return Unreadable(1, 1, size, too_much=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source, path)
    except SyntaxError as problem:
        return Unreadable(problem.lineno or 1, max(problem.offset or 1, 1), problem.msg)
    except (RecursionError, MemoryError):
        return Unreadable(1, 1, "The code is nested too deeply to be read.", too_much=True)
    except (ValueError, LookupError, OverflowError) as problem:
        return Unreadable(1, 1, str(problem))


def parse_text(text: str) -> ast.Module | None:
    """Give the tree of a text that a program executes; what isn't known stands as a name."""
    plain = text.replace(HOLE, " hole ") if f"{HOLE}" in text else text
    for candidate in (plain, text.replace(HOLE, "hole")):
        tree = parse(candidate.strip() + "\n")
        if isinstance(tree, ast.Module):
            return tree
    return None
