"""Reads the meaning of each key: the docstring below its field."""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from typing import Any


@functools.cache
def meanings(struct: Any) -> dict[str, str]:
    """Read a struct's field docstrings from its source: field name → meaning on one line."""
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        found |= _own_meanings(base) if base.__module__.startswith("grader.") else {}
    return found


def _own_meanings(struct: Any) -> dict[str, str]:
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(struct))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            value = below.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                found[field.target.id] = " ".join(value.value.split())
    return found


def about(struct: Any) -> str:
    """Return the struct's own docstring, one line per paragraph."""
    paragraphs = (struct.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
