"""Reads the child's frames out of a stream of bytes that nobody can trust.

A frame is a length, a letter and JSON. Each letter has its own bounds on size and shape; whatever leaves here can be
written by every serializer that we use.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.run import Raised
from grader.sandbox.inside.loop.wire import LENGTH, MESSAGE, TRACEBACK
from grader.sandbox.inside.python.json_value import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = 8
"""Bytes that come with each call and go back with its answer, so that answers can't change places."""
SMALL, TALE = 8 << 10, 512 << 10
"""Bytes of a frame without an answer in it; of a told exception, whose letters may take twelve bytes each."""
BOUNDS = {"G": 8, "S": SMALL, "R": 8, "V": 0, "E": TALE, "I": TALE, "X": TALE, "B": SMALL}
"""Go, set-up failed, ready for calls, value (bounded as all output is), exception of a call, of the import, of the
program, ban use."""
MARKED = "VE"
DEPTH = 250
"""The other side writes 100 levels, and objects for what JSON has no word for between them."""
PARTS = 3 * SIZE
"""Commas and brackets of a value: each node that the other side writes has three at most. An empty list of three
bytes takes twenty times as much here."""
NAME = 200
"""Characters of an exception's type."""
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*+"')
_NESTED = frozenset({list, dict})
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    letter: str
    value: Any
    mark: bytes = b""


class BrokenFrame(Exception):  # noqa: N818 -- a fact about the student's process, not an error of ours
    """What came is no frame, or none that was asked for."""


class OversizedFrame(BrokenFrame):
    """What came would be larger than the output may be."""


class FrameReader:
    """Cuts bytes into frames; at the end `rest` tells how many bytes were left over."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._buffer = bytearray()

    @property
    def rest(self) -> int:
        return len(self._buffer)

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """Return each whole frame; raise BrokenFrame as soon as what came can't become one."""
        self._buffer += piece
        while len(self._buffer) > LENGTH.size:
            (size,) = LENGTH.unpack_from(self._buffer)
            letter = chr(self._buffer[LENGTH.size])
            if not size or letter not in BOUNDS:
                raise BrokenFrame("bytes that are no frame")
            if size > (BOUNDS[letter] or self.limit):
                raise OversizedFrame("a frame larger than the output may be")
            if len(self._buffer) < LENGTH.size + size:
                return
            body = bytes(self._buffer[LENGTH.size + 1 : LENGTH.size + size])
            del self._buffer[: LENGTH.size + size]
            yield _frame(letter, body)


def _frame(letter: str, body: bytes) -> Frame:
    size = MARK if letter in MARKED else 0
    return Frame(letter=letter, mark=body[:size], value=_decoded(body[size:]))


def _decoded(body: bytes) -> Any:
    """Read JSON whose numbers have 64 bits, whose texts can be encoded and whose depth is bounded."""
    if _parts(body) > PARTS and _parts(_TEXT.sub(b"", body)) > PARTS:
        raise BrokenFrame("a value of too many parts")
    try:
        value = msgspec.json.decode(body)
        msgspec.msgpack.encode(value)  # refuses longer numbers, far faster than we could look for them
    except OverflowError as error:
        raise BrokenFrame("a number of more than 64 bits") from error
    except (ValueError, RecursionError) as error:
        raise BrokenFrame("a frame that holds no JSON") from error
    level = [value]
    for _ in range(DEPTH):
        level = [inner for item in level if type(item) in _NESTED for inner in _inner(item)]
        if not level:
            return value
    raise BrokenFrame("a value that is nested too deep")


def _parts(body: bytes) -> int:
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def _inner(value: Any) -> Any:
    return value.values() if type(value) is dict else value


def raised(value: Any) -> Raised:
    """Read an exception as the child told it: three bounded texts without control characters."""
    if not isinstance(value, dict):
        raise BrokenFrame("an exception that isn't told as one")
    bounds = {"type": NAME, "message": MESSAGE, "traceback": TRACEBACK + NAME}
    return Raised(**{name: _clean(value.get(name), bound) for name, bound in bounds.items()})


def _clean(text: object, bound: int) -> str:
    if not isinstance(text, str):
        raise BrokenFrame("an exception that isn't told as one")
    return _CONTROLS.sub("\ufffd", text[:bound])


def is_memory_error(value: Any) -> bool:
    """Tell whether the child says that an allocation failed."""
    return isinstance(value, dict) and value.get("memory") is True


def ban_use(value: Any) -> tuple[int, str, int]:
    """Read one use of a watched module: its number in our list, a path, a line."""
    try:
        return msgspec.convert(value, tuple[int, str, int])
    except msgspec.ValidationError as error:
        raise BrokenFrame("a ban use that isn't told as one") from error
