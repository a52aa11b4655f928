"""Folds constants: what an operation on known values gives.

Only pure functions on plain values are really called, and only while the values stay small, so that hostile source
can neither hang nor fill the memory. Where a part of a text isn't known, a HOLE stands for it.
"""

from __future__ import annotations

import ast
import base64
import binascii
import bz2
import codecs
import html
import json
import operator
import os.path
import posixpath
import re
import string
import textwrap
import urllib.parse
import zlib
from typing import TYPE_CHECKING, Any

from grader.policy.values import HOLE

if TYPE_CHECKING:
    from collections.abc import Callable

LARGE = 100_000
_MANY = 5_000
_DEEP = 6
_OPERATIONS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.BitXor: operator.xor,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.RShift: operator.rshift,
    ast.FloorDiv: operator.floordiv,
}
_METHODS = frozenset(
    [
        "capitalize",
        "casefold",
        "count",
        "decode",
        "encode",
        "endswith",
        "find",
        "format",
        "format_map",
        "get",
        "hex",
        "index",
        "items",
        "join",
        "keys",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "translate",
        "upper",
        "values",
        "tobytes",
    ]
)
_PURE: dict[str, Callable[..., Any]] = {
    "builtins.chr": chr,
    "builtins.ord": ord,
    "builtins.str": lambda value="", *rest: str(value, *rest) if isinstance(value, bytes) and rest else f"{value}",
    "builtins.bytes": lambda value=b"", *rest: bytes(_small(value), *rest),
    "builtins.bytearray": lambda value=b"", *rest: bytes(_small(value), *rest),
    "builtins.bytes.fromhex": bytes.fromhex,
    "builtins.bytearray.fromhex": bytes.fromhex,
    "builtins.int": int,
    "builtins.hex": hex,
    "builtins.len": len,
    "builtins.repr": repr,
    "builtins.ascii": ascii,
    "builtins.min": min,
    "builtins.max": max,
    "builtins.sum": sum,
    "builtins.format": lambda value, spec="": format(value, spec) if len(spec) < 5 else HOLE,
    "builtins.list": lambda value=(): tuple(_small(value)),
    "builtins.tuple": lambda value=(): tuple(_small(value)),
    "builtins.reversed": lambda value: tuple(reversed(_small(value))),
    "builtins.sorted": lambda value: tuple(sorted(_small(value))),
    "builtins.range": lambda *ends: tuple(range(*ends)[:_MANY]),
    "builtins.enumerate": lambda value: tuple(enumerate(_small(value))),
    "builtins.zip": lambda *values: tuple(zip(*values, strict=False)),
    "builtins.str.maketrans": str.maketrans,
    "builtins.str.join": lambda glue, parts: method(glue, "join", [parts], {}),
    "codecs.decode": codecs.decode,
    "codecs.encode": codecs.encode,
    "zlib.decompress": lambda value, *_: zlib.decompressobj().decompress(value, LARGE),
    "bz2.decompress": lambda value: bz2.BZ2Decompressor().decompress(value, LARGE),
    "ast.literal_eval": ast.literal_eval,
    "textwrap.dedent": textwrap.dedent,
    "json.loads": json.loads,
    "operator.add": operator.add,
    "operator.concat": operator.concat,
    "operator.mod": operator.mod,
    "sysconfig.get_path": lambda name: _library_path() if name in {"stdlib", "platstdlib"} else HOLE,
    "os.fspath": str,
    "os.path.abspath": lambda path: path,
    "posixpath.abspath": lambda path: path,
    "posixpath.realpath": lambda path: path,
    "pathlib.Path": posixpath.join,
    "pathlib.PurePath": posixpath.join,
}
_MODULES: dict[str, Any] = {
    "base64": base64,
    "binascii": binascii,
    "html": html,
    "urllib.parse": urllib.parse,
    "posixpath": os.path,
    "string": string,
}
_UNSAFE = frozenset({"exists", "isfile", "isdir", "expanduser", "expandvars", "realpath", "main", "encode", "decode"})


def operation(kind: type[ast.AST], left: object, right: object) -> object:
    """Fold `left kind right`; a text keeps a hole where the other side isn't plain."""
    function = _OPERATIONS.get(kind)
    if function is None or not (_is_small(left) and _is_small(right)):
        raise ValueError
    if kind is ast.Mult:
        _refuse_growth(left, right)
    if kind is ast.Mod and isinstance(left, str | bytes):
        _refuse_padding(left)
        _refuse_repeats(left, right)
    if kind is ast.FloorDiv and isinstance(left, str):
        raise ValueError
    return _bounded(function(left, right))


def call(path: str, arguments: list[Any]) -> object:
    """Fold the call of a pure library function."""
    function = _PURE.get(path) or _library_function(path)
    if function is None or not all(map(_is_small, arguments)):
        raise ValueError
    return _bounded(function(*arguments))


def is_pure(path: str) -> bool:
    return path in _PURE or _library_function(path) is not None


def method(value: object, name: str, arguments: list[Any], words: dict[str, Any]) -> object:
    """Fold the call of a constant's method."""
    if name not in _METHODS or not all(map(_is_small, [value, *arguments, *words.values()])):
        raise ValueError
    if name in {"format", "format_map"} and (not isinstance(value, str) or re.search(r"[.\[!]|\d{4}", value)):
        raise ValueError
    if name in {"format", "format_map", "replace", "join", "translate"}:
        _refuse_repeats(value, [*arguments, *words.values()])
    result = getattr(value, name)(*arguments, **words)
    return _bounded(tuple(result) if name in {"items", "keys", "values"} else result)


def constant(path: str) -> object:
    """Give a library constant that programs spell with: `string.ascii_lowercase`, `os.sep`, `os.__file__`."""
    home, _, name = path.rpartition(".")
    if home == "string" and isinstance(getattr(string, name, None), str):
        return getattr(string, name)
    if name == "__file__":
        return posixpath.join(_library_path(), *home.split(".")) + ".py"
    if name == "__name__":
        return home
    raise ValueError


def joined(parts: list[object]) -> str:
    """Join the pieces of an f-string."""
    return str(_bounded("".join(HOLE if part is None else f"{part}" for part in parts)))


def _library_path() -> str:
    return posixpath.dirname(os.__file__)


def _library_function(path: str) -> Callable[..., Any] | None:
    home, _, name = path.rpartition(".")
    if home not in _MODULES or name in _UNSAFE or name.startswith("_"):
        return None
    found = getattr(_MODULES[home], name, None)
    return found if callable(found) and not isinstance(found, type) else None


def _refuse_growth(left: object, right: object) -> None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | bytes | tuple) and isinstance(other, int) and len(one) * max(other, 0) > LARGE:
            raise ValueError


def _refuse_padding(text: str | bytes) -> None:
    plain = text if isinstance(text, str) else text.decode("latin-1")
    if re.search(r"%[^a-zA-Z%]*(?:\d{4}|\*)", plain):
        raise ValueError


def _refuse_repeats(value: object, parts: object) -> None:
    """Refuse what could put a large part into each place of a large value."""
    if _weight(value) * max(_weight(parts), 1) > LARGE * 50 and min(_weight(value), _weight(parts)) > 20:
        raise ValueError


def _weight(value: object) -> int:
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_weight, value)) + sum(map(_weight, value.values()))
    return sum(map(_weight, value)) + len(value) if isinstance(value, tuple | list) else 1


def _small(value: Any) -> Any:
    if isinstance(value, int) or len(value) > LARGE:
        raise ValueError
    return value


def _is_small(value: object, depth: int = 0) -> bool:
    if isinstance(value, str | bytes):
        return len(value) <= LARGE
    if isinstance(value, int):
        return value.bit_length() < 2000
    if isinstance(value, tuple | list | dict):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        fits = len(value) <= _MANY and depth < _DEEP and all(_is_small(part, depth + 1) for part in parts)
        return fits and (depth > 0 or _weight(value) <= LARGE)
    return value is None or isinstance(value, float)


def _bounded(value: object) -> object:
    if isinstance(value, list | set):
        value = tuple(value)
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    if not _is_small(value):
        raise ValueError
    return value
