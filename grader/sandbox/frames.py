"""Reads the child's frames out of a stream of bytes that nobody can trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.run import BanUse, Raised
from grader.sandbox.inside.wire import LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator

LETTERS = frozenset(b"GSRVEIXB")
"""Go, set-up failed, ready for calls, value, exception of a call, of the import, of the program, ban use."""


MARK = 8
"""Bytes that come with each call and go back with its answer, so that answers can't change places."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    letter: str
    value: Any
    mark: bytes = b""


class BrokenFrame(Exception):  # noqa: N818 -- a fact about the student's process, not an error of ours
    """What came is no frame."""


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
        """Give each whole frame; raise BrokenFrame for what can't become one."""
        self._buffer += piece
        while len(self._buffer) >= LENGTH.size:
            (size,) = LENGTH.unpack_from(self._buffer)
            if not size or (len(self._buffer) > LENGTH.size and self._buffer[LENGTH.size] not in LETTERS):
                raise BrokenFrame("bytes that are no frame")
            if size > self.limit:
                raise OversizedFrame("a frame larger than the output may be")
            if len(self._buffer) < LENGTH.size + size:
                return
            body = bytes(self._buffer[LENGTH.size : LENGTH.size + size])
            del self._buffer[: LENGTH.size + size]
            yield _frame(chr(body[0]), body[1:])


def _frame(letter: str, body: bytes) -> Frame:
    size = MARK if letter in "VE" else 0
    return Frame(letter=letter, mark=body[:size], value=_decoded(body[size:]))


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BrokenFrame("a frame that holds no JSON") from error


def raised(value: Any) -> Raised:
    """Read an exception as the child told it."""
    if not isinstance(value, dict):
        raise BrokenFrame("an exception that isn't told as one")
    texts = {name: str(value.get(name, "")) for name in ("type", "message", "traceback")}
    return Raised(**texts)


def is_memory_error(value: Any) -> bool:
    """Tell whether the child says that an allocation failed."""
    return isinstance(value, dict) and value.get("memory") is True


def ban_use(value: Any) -> BanUse:
    """Read one use of a watched module."""
    try:
        return msgspec.convert(value, BanUse)
    except msgspec.ValidationError as error:
        raise BrokenFrame("a ban use that isn't told as one") from error
