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
INT = 1 << 64
HOLE = "\ue000"
"""Stands in a text for a part that isn't known."""
_HEX = {"fromhex", "unhexlify", "a2b_hex"}
_BASE64 = {"b64decode", "a2b_base64", "urlsafe_b64decode", "standard_b64decode"}
PURE = {"chr", "str", "tuple", "list", "reversed", "bytes", "bytearray", "decode", "encode"} | _HEX | _BASE64
"""Last names of what `call` knows."""


class NotKnown(Exception):  # noqa: N818  # an answer, not an error
    """The result isn't one that we make."""


def operation(kind: type[ast.AST], left: object, right: object) -> object:
    """Return `left kind right`."""
    if isinstance(left, int) and isinstance(right, int) and abs(left) < INT and abs(right) < INT:
        table = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right, ast.BitXor: left ^ right}
        return table[kind] if kind in table else _refuse()
    if kind is ast.Mult and isinstance(right, int) and isinstance(left, str | bytes | tuple):
        return left * right if 0 <= right * len(left) <= LARGEST else _refuse()
    if kind is ast.Add and type(left) is type(right) and isinstance(left, str | bytes | tuple):
        return left + right if len(left) + len(right) <= LARGEST else _refuse()  # type: ignore[arg-type, operator]
    if kind is ast.Mod and isinstance(left, str):
        return _fill(left.replace("%%", "%"), r"%[sdr]", right if type(right) is tuple else (right,))
    return _refuse()


def item(base: object, index: object) -> object:
    """Return `base[index]`, where an index may be a slice."""
    if isinstance(base, str | bytes | tuple) and isinstance(index, int | slice):
        try:
            return base[index]
        except (IndexError, TypeError, ValueError):
            return _refuse()
    return _refuse()


def method(base: object, name: str, values: list[object]) -> object:
    """Return `base.name(*values)`."""
    first = values[0] if values else None
    if name == "join" and isinstance(base, str) and isinstance(first, str | tuple):
        parts = [part if isinstance(part, str) else HOLE for part in first]
        return base.join(parts) if sum(map(len, parts)) + len(base) * len(parts) <= LARGEST else _refuse()
    if name == "replace" and isinstance(base, str) and isinstance(first, str) and first and len(values) == 2:
        new = values[1] if isinstance(values[1], str) else HOLE
        return base.replace(first, new) if base.count(first) * len(new) <= LARGEST else _refuse()
    if name == "format" and isinstance(base, str):
        return _fill(base, r"\{\d*\}", tuple(values))
    if name in {"lower", "upper", "strip"} and isinstance(base, str) and not values:
        return {"lower": base.lower, "upper": base.upper, "strip": base.strip}[name]()
    return _recode(base, first or "utf-8") if name in {"decode", "encode"} else _refuse()


def call(path: str, values: list[object]) -> object:
    """Return what a pure function of the library gives for these constants."""
    first, name = values[0], path.rpartition(".")[2]
    if name == "chr" and isinstance(first, int) and 0 <= first < 0x110000:
        return chr(first)
    if name in {"str", "tuple", "list"}:
        return first if type(first) is (str if name == "str" else tuple) else _refuse()
    if name == "reversed" and isinstance(first, str | bytes | tuple):
        return tuple(first[::-1])
    if name in {"bytes", "bytearray"} and type(first) is tuple:
        return bytes(first) if all(isinstance(n, int) and 0 <= n < 256 for n in first) else _refuse()
    if name in _HEX | _BASE64:
        return _recode(first, "hex" if name in _HEX else "base64")
    return _recode(first, values[1] if len(values) > 1 else "utf-8") if name in {"decode", "encode"} else _refuse()


def letters(numbers: object) -> object:
    """Return the letter of each number."""
    values = numbers if type(numbers) is tuple or isinstance(numbers, bytes) else _refuse()
    return tuple(call("chr", [number]) for number in values)


def _recode(value: object, encoding: object) -> object:
    """Change letters into bytes or back; the result is never longer than three times the value."""
    name = str(encoding).lower().replace("_", "-") if isinstance(value, str | bytes) else ""
    try:
        if name in {"utf-8", "utf8", "ascii", "latin-1", "latin1"}:
            return value.encode() if isinstance(value, str) else bytes(value).decode()  # type: ignore[call-overload]
        text = value if isinstance(value, str) else bytes(value).decode("ascii")  # type: ignore[call-overload]
        if name.startswith("hex"):
            return bytes.fromhex(text)
        if name.startswith("base64"):
            return base64.b64decode(text.replace("-", "+").replace("_", "/"))
        if name in {"rot13", "rot-13"}:
            return re.sub(
                "[a-zA-Z]", lambda found: chr((ord(found[0]) % 32 + 12) % 26 + (ord(found[0]) & 96) + 1), text
            )
    except (ValueError, TypeError):
        return _refuse()
    return _refuse()


def _fill(template: str, place: str, parts: tuple[object, ...]) -> str:
    """Put parts into the plain places of a template; a width or another form stays as it is."""
    texts = [part if isinstance(part, str) else str(part) if isinstance(part, int) else HOLE for part in parts]
    pieces = re.split(place, template)
    if len(template) + sum(map(len, texts)) > LARGEST or len(pieces) - 1 > len(texts):
        _refuse()
    return "".join(piece + text for piece, text in zip(pieces, [*texts[: len(pieces) - 1], ""], strict=True))


def _refuse() -> Any:
    raise NotKnown
