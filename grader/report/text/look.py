"""How a terminal shows text: its width, its colours, the letters it knows.

No terminal's encoding stops a command: `speak_plainly` gives every sign of ours that a stream can't write a plain
stand-in, and any other letter its number.
"""

from __future__ import annotations

import codecs
import io
import os
import shutil
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TextIO

_PLAIN = {
    **dict(zip("✓✗◐–—−│≠·×→←↑↓⟨⟩“”‘’", "+x~---|!.x><^v<>\"\"''", strict=True)),  # as wide as they are
    "…": "...",
    "≥": ">=",
    "≤": "<=",
}
_CODES = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "grey": "90"}
_SIGNS = "✓✗│≠↖"
_NARROWEST, _WIDEST = 40, 100
"""Columns: below the one nothing fits, beyond the other prose is hard to read."""
_HANDLER = "grader-plain"
_ASCII = "grader_ascii"


class Look(NamedTuple):
    """What a terminal can show."""

    width: int = 80
    has_colours: bool = False
    has_signs: bool = True
    """It knows more letters than ASCII's."""

    @classmethod
    def of(cls, stream: TextIO) -> Look:
        """Ask the stream and the environment (NO_COLOR, FORCE_COLOR, TERM, COLUMNS)."""
        width = shutil.get_terminal_size((80, 24)).columns
        return cls(min(max(_NARROWEST, width), _WIDEST), _has_colours(stream), _can_write(stream, _SIGNS))

    def paint(self, text: str, colour: str) -> str:
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.has_colours and text else text


def speak_plainly(*streams: TextIO) -> None:
    """Let these streams write any text, whatever their encoding."""
    codecs.register_error(_HANDLER, _plain)
    codecs.register(_ascii)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            is_ascii = codecs.lookup(stream.encoding).name == "ascii"
            stream.reconfigure(encoding=_ASCII if is_ascii else stream.encoding, errors=_HANDLER)


def _ascii(name: str) -> codecs.CodecInfo | None:
    """Give ASCII another name: click takes a stream that says `ascii` for a mistake, and writes UTF-8 to it."""
    if name != _ASCII:
        return None
    known = codecs.lookup("ascii")
    return codecs.CodecInfo(
        known.encode,
        known.decode,
        incrementalencoder=known.incrementalencoder,
        incrementaldecoder=known.incrementaldecoder,
        name=_ASCII,
    )


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    numbered = (letter.encode("ascii", "backslashreplace").decode() for letter in letters)
    return "".join(_PLAIN.get(letter, number) for letter, number in zip(letters, numbered, strict=True)), error.end


def _has_colours(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
