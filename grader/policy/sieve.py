"""Sieves a survey: only places that can matter are traced.

A step into a banned module needs a telling word at its very place: an attribute under which a module holds it, a
callable that imports, runs or looks around, or a name that carries one. Nearly all of a program is passed by.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from grader.policy.words import telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.scopes import Scope
    from grader.policy.survey import Survey
    from grader.policy.trace import Trace


def reads(trace: Trace, survey: Survey) -> Iterator[tuple[ast.Attribute | ast.Subscript, Scope]]:
    """Give the reads that may be a step into a banned module."""
    words = telling(trace.desk.banned)
    taint = trace.taint
    for node, scope in survey.reads:
        if isinstance(node, ast.Attribute):
            if node.attr in words and (node.attr.startswith(("_", "f_")) or taint.may_be_module(node.value)):
                yield node, scope
        elif _is_keyed(node, words) and taint.carries(node.value):
            yield node, scope


def calls(trace: Trace, survey: Survey) -> Iterator[tuple[ast.Call, Scope]]:
    """Give the calls that may import, run or look around."""
    if survey is not trace.survey:
        return iter(survey.calls)
    if trace.telling_calls is None:
        taint = trace.taint
        trace.telling_calls = [(node, scope) for node, scope in survey.calls if taint.matters(node)]
    return iter(trace.telling_calls)


def _is_keyed(node: ast.Subscript, words: frozenset[str]) -> bool:
    key = node.slice
    if isinstance(key, ast.Constant):
        return key.value in words
    return not isinstance(key, ast.Slice)
