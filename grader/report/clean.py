r"""Makes any text safe to show, with visible replacements.

After `clean` a text holds no control character but tab and line feed, no bidi or invisible format character, no lone
surrogate and nothing outside XML 1.0; broken UTF-8 shows as `\xff`, ESC as `\x1b`, an override as `⟨U+202E⟩`.
"""

from __future__ import annotations

import math
import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from grader.model.run import Stream

S = TypeVar("S", bound=msgspec.Struct)
N = TypeVar("N", int, float)

TEXT_LIMIT = 16_000
MESSAGE_LIMIT = 4_000
LINE_LIMIT = 1_000
TITLE_LIMIT = 300
_LARGEST = 2**31 - 1
_PROSE = dict.fromkeys(("message", "why", "instead", "hint"), MESSAGE_LIMIT)
_PROSE |= dict.fromkeys(("expected", "found", "expected_text", "found_text"), TEXT_LIMIT)
"""Fields that may have lines, with the letters that each may have."""
_CONTEXT_LINES = 4
_CONTEXT_BYTES = 16_000

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff"
    "\U000e0000-\U000e0fff\U0001d173-\U0001d17a]+"
)
_STACKED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f"
    "\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def clean(text: str | bytes, limit: int = TEXT_LIMIT) -> str:
    """Return the text's first `limit` characters, every character visible, every line of bounded length."""
    if isinstance(text, str) and len(text) <= min(limit, LINE_LIMIT) and text.isascii() and text.isprintable():
        return text  # nearly every text; a class has tens of thousands
    kept, left_out = _head(text, limit)
    kept = kept.replace("\r\n", "\n")
    kept = kept.encode("utf-8", "backslashreplace").decode()
    kept = _STACKED.sub(r"\1⟨…⟩", _UNSEEN.sub(_pictures, kept))
    lines = [_cut(line) for line in kept.split("\n")]
    if left_out:
        lines.append(f"⟨{left_out:,} more {'bytes' if isinstance(text, bytes) else 'characters'} left out⟩")
    return "\n".join(lines)


def clean_line(text: str | bytes, limit: int = TITLE_LIMIT) -> str:
    """Return the text as one visible line."""
    return clean(text, limit).replace("\n", "\\n").replace("\t", " ")


def clean_struct(value: S, limit: int = TEXT_LIMIT) -> S:
    """Return a struct of texts and numbers that every format can write; of the texts, prose may have lines."""
    return msgspec.structs.replace(
        value, **{name: _field(name, getattr(value, name), limit) for name in value.__struct_fields__}
    )


def _field(name: str, value: Any, limit: int) -> Any:
    if isinstance(value, StrEnum):
        return value
    if isinstance(value, str):
        return clean(value, min(limit, _PROSE[name])) if name in _PROSE else clean_line(value)
    if isinstance(value, tuple):
        return tuple(clean_line(part) for part in value)
    return amount(value) if isinstance(value, int | float) else value


def amount(number: N) -> N:
    """Return a number that every format can write."""
    return max(-_LARGEST, min(number, _LARGEST)) if math.isfinite(number) else type(number)(0)


def excerpt(stream: Stream, limit: int = TEXT_LIMIT) -> str:
    """Return the stream's beginning, and say how much was left out."""
    if not stream.size and not stream.cut:
        return ""
    lines = [clean(stream.head(limit))]
    if stream.size > limit:
        lines.append(f"⟨{stream.size - limit:,} more bytes left out⟩")
    if stream.cut:
        lines.append("⟨the program wrote more than its output limit; the rest was not kept⟩")
    return "\n".join(lines)


def lines_before(stream: Stream, found: str) -> tuple[str, ...]:
    """Return the few lines of output that come before the text `found`; nothing when it isn't there word for word."""
    needle = found.strip().encode("utf-8", "surrogatepass")
    if not needle or len(needle) > _CONTEXT_BYTES:
        return ()
    window = b""
    for piece in stream.chunks():
        window += piece
        at = window.find(needle)
        if at >= 0:
            lines = clean(window[max(0, at - _CONTEXT_BYTES) : at]).rstrip("\n").split("\n")
            return tuple(lines[-_CONTEXT_LINES:]) if lines != [""] else ()
        window = window[-(_CONTEXT_BYTES + len(needle)) :]
    return ()


def _head(text: str | bytes, limit: int) -> tuple[str, int]:
    if isinstance(text, bytes):
        return text[:limit].decode("utf-8", "backslashreplace"), max(0, len(text) - limit)
    return text[:limit], max(0, len(text) - limit)


def _pictures(match: re.Match[str]) -> str:
    # Escapes, not the pictures of U+2400: many fonts lack those.
    codes = map(ord, match.group())
    return "".join([f"\\x{code:02x}" if code < 0xA0 else f"⟨U+{code:04X}⟩" for code in codes])


def _cut(line: str) -> str:
    if len(line) <= LINE_LIMIT:
        return line
    return f"{line[:LINE_LIMIT]} ⟨{len(line) - LINE_LIMIT:,} more characters in this line⟩"
