"""Writes a student's value as bounded plain JSON, whatever it is.

Sets, bytes, long numbers and odd floats become small objects with a `$` key; what isn't data becomes its type and a
cut repr.
"""

from __future__ import annotations

from _json import encode_basestring_ascii as quoted
from typing import Any

DEPTH = 100
"""Deeper nesting than any assignment's answer, well below what a JSON reader takes."""
SIZE = 1_100_000
"""Nodes: a board of a thousand by a thousand fits, and its JSON stays within a few megabytes."""
TEXT = 8 << 20
"""Characters of one text; longer ones are cut, since the whole reply is bounded anyway."""
REPR = 200
"""Characters of the repr of a thing that isn't data: enough to recognise it."""
LEAST, MOST = -(1 << 63), (1 << 64) - 1
"""Numbers beyond 64 bits are told as objects with their digits: not every format of ours can hold them."""
DIGITS = 4000
"""Below Python's own limit of 4300 for turning digits into a number."""


class _Writer:
    def __init__(self) -> None:
        self.nodes = 0
        self.pieces: list[str] = []
        self.open: set[int] = set()

    def write(self, value: Any, depth: int) -> None:
        self.nodes += 1
        if value is None or value is True or value is False:
            self.pieces.append({None: "null", True: "true", False: "false"}[value])
        elif self.nodes > SIZE or depth > DEPTH or id(value) in self.open:
            self.opaque(value, "too deep, too large or endless")
        elif isinstance(value, str):
            self.pieces.append(_quoted(value))
        elif isinstance(value, float):
            self.number(float(value))
        elif isinstance(value, (list, tuple, dict, set, frozenset)):
            self.open.add(id(value))
            self.container(value, depth + 1)
            self.open.discard(id(value))
        elif isinstance(value, (bytes, bytearray)):
            self.pieces.append(f'{{"$bytes":"{bytes(value[:TEXT]).hex()}"}}')
        else:
            self.index(value)

    def number(self, value: float) -> None:
        finite = value - value == 0
        text = float.__repr__(value)
        self.pieces.append(text if finite else f'{{"$float":"{text}"}}')

    def container(self, value: Any, depth: int) -> None:
        if isinstance(value, dict) and all(isinstance(key, str) for key in value):
            self.items("{", "}", [(_quoted(key) + ":", item) for key, item in dict.items(value)], depth)
        elif isinstance(value, dict):
            self.pieces.append('{"$dict":')
            self.items("[", "]", [("", pair) for pair in dict.items(value)], depth)
            self.pieces.append("}")
        elif isinstance(value, (set, frozenset)):
            self.pieces.append('{"$set":')
            self.items("[", "]", [("", item) for item in _in_order(value)], depth)
            self.pieces.append("}")
        else:
            self.items("[", "]", [("", item) for item in value], depth)

    def items(self, start: str, end: str, items: list[tuple[str, Any]], depth: int) -> None:
        self.pieces.append(start)
        comma = ""
        for label, item in items:
            self.pieces.append(comma + label)
            self.write(item, depth)
            comma = ","
        self.pieces.append(end)

    def index(self, value: Any) -> None:
        """Write whole numbers of any type, such as numpy's, as numbers."""
        try:
            number = int(value.__index__())
        except Exception:  # noqa: BLE001 -- the student's own method may raise anything
            self.opaque(value, "")
            return
        if number.bit_length() > DIGITS * 3:
            self.opaque(value, "a number of very many digits")
        elif LEAST <= number <= MOST:
            self.pieces.append(int.__repr__(number))
        else:
            self.pieces.append(f'{{"$int":"{number}"}}')

    def opaque(self, value: Any, instead: str) -> None:
        try:
            text = instead or str(repr(value))[:REPR]
        except Exception:  # noqa: BLE001 -- the student's own method may raise anything
            text = ""
        self.pieces.append(f'{{"$object":{_quoted(type(value).__name__)},"repr":{_quoted(text)}}}')


def _quoted(text: str) -> str:
    """Quote a text; half a surrogate pair, which JSON can't hold, becomes its escape."""
    plain = str.__str__(text)[:TEXT]
    return str(quoted(plain.encode("utf-8", "backslashreplace").decode()))


def _in_order(values: Any) -> list[Any]:
    """Return a set in an order that doesn't hang on hashes."""
    try:
        return sorted(values)
    except Exception:  # noqa: BLE001 -- mixed types, or the student's own comparison
        return sorted(values, key=repr)


def write(value: Any) -> bytes:
    """Return the value's JSON."""
    writer = _Writer()
    try:
        writer.write(value, 0)
    except Exception:  # noqa: BLE001 -- a subclass of list may lie about everything
        writer.pieces = []
        writer.opaque(value, "can't be read as data")
    return "".join(writer.pieces).encode("ascii", "replace")
