"""Joins constants: a short list of operations of our own, whose result's size is known before it is made.

Nothing here calls what the student named: each operation is written out, ends, and refuses what is too large.
"""

from __future__ import annotations

import base64
import operator
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 1 << 16
"""Letters of a constant."""
_INT = 1 << 64
HOLE = "\ue000"
"""Stands in a text for a part that isn't known."""


def is_constant(value: object) -> bool:
    """Tell whether a value is of a kind that is joined, and small."""
    if type(value) is int:
        return abs(value) < _INT
    return type(value) in {str, bytes} and len(value) <= LARGEST  # type: ignore[arg-type]  # both have one


def fold(name: str, values: list[Any]) -> tuple[Any, ...]:
    """Return what an operation, function or method of this name makes of constants; nothing if it isn't known."""
    sizes = [len(value) if isinstance(value, str | bytes) else 1 for value in values]
    if name not in OPERATIONS or not values or (sizes[0] + 1) * len(values) + sum(sizes) > LARGEST:
        return ()
    try:
        made = OPERATIONS[name](*values)
    except (ValueError, TypeError, AttributeError):  # of another kind than the operation is for
        return ()
    return made if type(made) is tuple else (made,)


def _join(text: str, *parts: object) -> str:
    return text.join(part if isinstance(part, str) else HOLE for part in parts)


def _fill(template: str, *parts: object) -> str:
    """Put parts into the plain places of a template; a width or another form stays as it is."""
    texts = [str(part) if isinstance(part, str | int) else HOLE for part in parts]
    pieces = re.split(r"%[sdr]|\{\d*\}", template)
    return "".join(piece + text for piece, text in zip(pieces, [*texts[: len(pieces) - 1], ""], strict=True))


def _cut(text: Any, *bounds: object) -> object:
    return text[slice(*(bound if type(bound) is int else None for bound in bounds))]


def _same(*values: object) -> object:
    return values


OPERATIONS: dict[str, Callable[..., object]] = {
    "Add": operator.add,
    "Mod": _fill,
    "format": _fill,
    "join": _join,
    "cut": _cut,
    "reversed": lambda *values: tuple(value[::-1] for value in values[::-1]),
    "chr": chr,
    "bytes": lambda *numbers: bytes(numbers),
    "bytearray": lambda *numbers: bytes(numbers),
    "decode": lambda content, *_: content.decode("ascii"),
    "fromhex": bytes.fromhex,
    "unhexlify": lambda text: bytes.fromhex(_text(text)),
    "b64decode": lambda text: base64.b64decode(_text(text)),
    "lower": lambda text: text.lower(),
    "upper": lambda text: text.upper(),
    "strip": lambda text: text.strip(),
    **dict.fromkeys(("str", "list", "tuple", "iter", "next"), _same),
}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else value.decode("ascii")
