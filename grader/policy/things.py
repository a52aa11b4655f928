"""What an expression may be: a constant, a thing of the library by its path, a bag of several."""

from __future__ import annotations

import ast
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import fold, library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Values = tuple[object, ...]
OWN = object()
"""Something of the student's own."""
BAG = 200
"""Most values in a bag, letters of a path, parts of an expression that is shown."""
VARS = ".__dict__"


class Thing(NamedTuple):
    """A thing of the library by its dotted path: `()` after it is what it returned, `.__dict__` its namespace."""

    path: str


class Bag(NamedTuple):
    """A list or dict that isn't all constants; or a call that waits for more, such as `partial` or `map`."""

    parts: Values


def resolved(path: str) -> Thing:
    return Thing(library.resolve(path) if len(path) < BAG else "")


def home_of(path: str) -> str:
    """Return the library module that a path leads through."""
    while path and not library.is_module(path):
        path = path.rpartition(".")[0]
    return path


def plain(value: object) -> object:
    """Return a value as a constant, with holes where it isn't known."""
    if isinstance(value, Bag):
        return tuple(part if fold.is_constant(part) else fold.HOLE for part in value.parts)
    return value if fold.is_constant(value) else fold.HOLE


def members(value: object) -> Iterable[object]:
    """Return what a loop over a value gives."""
    if isinstance(value, Thing):
        return ()
    return value.parts if isinstance(value, Bag) else value[:BAG] if isinstance(value, str | tuple) else ()


def texts_in(several: Iterable[Values]) -> set[str]:
    return {text for values in several for text in flat(values) if isinstance(text, str)}


def flat(values: Values) -> Iterator[object]:
    """Go through values and what is in them."""
    waiting = [*reversed(values)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Bag):
            waiting += reversed(value.parts)
        elif type(value) is tuple:
            waiting += reversed(value[:BAG])
        else:
            yield value


def short(node: ast.AST) -> str:
    """Return an expression as one short line."""
    is_short = sum(1 for _ in islice(ast.walk(node), BAG)) < BAG
    text = re.sub(r"\s+", " ", ast.unparse(node)) if is_short else "…"
    return text if len(text) <= 60 else f"{text[:57]}…"
