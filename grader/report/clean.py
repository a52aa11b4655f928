r"""Makes any text safe to show, with visible replacements.

After `clean` a text holds no control character but tab and line feed, no bidi or invisible format character, no lone
surrogate and nothing outside XML 1.0; broken UTF-8 shows as `\xff`, ESC as `\x1b`, an override as `⟨U+202E⟩`.
"""

from __future__ import annotations

import re

TEXT_LIMIT = 16_000
LINE_LIMIT = 1_000
TITLE_LIMIT = 300

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff"
    "\U000e0000-\U000e0fff\U0001d173-\U0001d17a]"
)
_STACKED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f"
    "\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def clean(text: str | bytes, limit: int = TEXT_LIMIT) -> str:
    """Give the text's first `limit` characters, every character visible, every line of bounded length."""
    if isinstance(text, str) and len(text) <= min(limit, LINE_LIMIT) and text.isascii() and text.isprintable():
        return text  # nearly every text; a class has tens of thousands
    kept, left_out = _head(text, limit)
    kept = kept.replace("\r\n", "\n")
    kept = kept.encode("utf-8", "backslashreplace").decode()
    kept = _STACKED.sub(r"\1⟨…⟩", _UNSEEN.sub(_picture, kept))
    lines = [_cut(line) for line in kept.split("\n")]
    if left_out:
        lines.append(f"⟨{left_out:,} more {'bytes' if isinstance(text, bytes) else 'characters'} left out⟩")
    return "\n".join(lines)


def clean_line(text: str | bytes, limit: int = TITLE_LIMIT) -> str:
    """Give the text as one visible line."""
    return clean(text, limit).replace("\n", "\\n").replace("\t", " ")


def _head(text: str | bytes, limit: int) -> tuple[str, int]:
    if isinstance(text, bytes):
        return text[:limit].decode("utf-8", "backslashreplace"), max(0, len(text) - limit)
    return text[:limit], max(0, len(text) - limit)


def _picture(match: re.Match[str]) -> str:
    # Escapes, not the pictures of U+2400: many fonts lack those.
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0xA0 else f"⟨U+{code:04X}⟩"


def _cut(line: str) -> str:
    if len(line) <= LINE_LIMIT:
        return line
    return f"{line[:LINE_LIMIT]} ⟨{len(line) - LINE_LIMIT:,} more characters in this line⟩"
