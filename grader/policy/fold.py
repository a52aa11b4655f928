"""Joins constants: a short list of operations of our own, whose result's size is known before it is made.

Nothing here calls what the student named: each operation is written out, total, and refuses (by `NotKnown`) what is
too large or of the wrong kind.
"""

from __future__ import annotations

import ast
import base64
import re
from typing import Any

LARGEST = 1 << 16
"""Letters or items of a constant."""
HOLE = "\ue000"
"""Stands in a text for a part that isn't known."""
_INT = 1 << 64
_DECODERS = {"fromhex": bytes.fromhex, "unhexlify": bytes.fromhex, "b64decode": base64.b64decode}
PURE = {"chr", "str", "tuple", "list", "reversed", "bytes", "bytearray", "decode", *_DECODERS}
"""Last names of what `call` knows."""


class NotKnown(Exception):  # noqa: N818  # an answer, not an error
    """The result isn't one that we make."""


def is_constant(value: object) -> bool:
    """Tell whether a value is of a kind that is joined, and small."""
    if type(value) is int:
        return abs(value) < _INT
    return type(value) in {str, bytes, tuple} and len(value) <= LARGEST  # type: ignore[arg-type]  # all three have one


def operation(kind: type[ast.AST], left: Any, right: Any) -> object:
    """Return `left kind right`."""
    if type(left) is type(right) is int and is_constant(left) and is_constant(right):
        table = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right, ast.BitXor: left ^ right}
        return table[kind] if kind in table else _refuse()
    if kind is ast.Mod and isinstance(left, str):
        return _fill(left.replace("%%", "%"), r"%[sdr]", right if type(right) is tuple else (right,))
    if kind is ast.Mult and type(right) is int and type(left) in {str, bytes, tuple}:
        return left * right if 0 <= right * len(left) <= LARGEST else _refuse()
    if kind is ast.Add and type(left) is type(right) and type(left) in {str, bytes, tuple}:
        return left + right if len(left) + len(right) <= LARGEST else _refuse()
    return _refuse()


def item(base: Any, index: Any) -> object:
    """Return `base[index]`, where an index may be a slice."""
    try:
        return base[index] if type(base) in {str, bytes, tuple} and isinstance(index, int | slice) else _refuse()
    except (IndexError, TypeError, ValueError):
        return _refuse()


def method(base: object, name: str, values: list[Any]) -> object:
    """Return `base.name(*values)`."""
    if name == "join" and isinstance(base, str) and values and type(values[0]) in {str, tuple}:
        parts = [part if isinstance(part, str) else HOLE for part in values[0]]
        return base.join(parts) if sum(map(len, parts)) + len(base) * len(parts) <= LARGEST else _refuse()
    if name == "format" and isinstance(base, str):
        return _fill(base, r"\{\d*\}", tuple(values))
    return call(name, [base, *values]) if name == "decode" else _refuse()


def call(path: str, values: list[Any]) -> object:
    """Return what a pure function of the library gives for these constants."""
    first, name = values[0], path.rpartition(".")[2]
    if name == "decode" and isinstance(first, bytes) and first.isascii():
        return first.decode("ascii") if len(values) == 1 or values[1] in {"utf-8", "utf8", "ascii"} else _refuse()
    if name in _DECODERS and isinstance(first, str | bytes):
        try:
            return _DECODERS[name](first if isinstance(first, str) else first.decode("ascii"))
        except ValueError:
            return _refuse()
    if name == "chr" and type(first) is int and 0 <= first < 0x110000:
        return chr(first)
    if name in {"str", "tuple", "list"} and type(first) is (str if name == "str" else tuple):
        return first
    if name == "reversed" and type(first) in {str, bytes, tuple}:
        return tuple(first[::-1])
    is_bytes = name in {"bytes", "bytearray"} and type(first) is tuple
    return bytes(first) if is_bytes and all(type(n) is int and 0 <= n < 256 for n in first) else _refuse()


def _fill(template: str, place: str, parts: tuple[object, ...]) -> str:
    """Put parts into the plain places of a template; a width or another form stays as it is."""
    texts = [part if isinstance(part, str) else str(part) if type(part) is int else HOLE for part in parts]
    pieces = re.split(place, template)
    if len(template) + sum(map(len, texts)) > LARGEST or len(pieces) - 1 > len(texts):
        _refuse()
    return "".join(piece + text for piece, text in zip(pieces, [*texts[: len(pieces) - 1], ""], strict=True))


def _refuse() -> Any:
    raise NotKnown
