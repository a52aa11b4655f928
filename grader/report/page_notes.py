"""Tells which pages need no rendering: made from the same, by the same source, and untouched since.

Content decides both: a note holds the digest of what a page was made from, and that of the page itself.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

from grader import source
from grader.report.layout import SHEETS, close_file, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

Notes = dict[str, tuple[bytes, bytes]]
"""Name of a page → digest of what it was made from, and its own."""
_CLASS = "class.pages"


class PageNotes:
    """The notes on the pages of one submission, or of the class."""

    def __init__(self, notes: Notes, made_from: bytes) -> None:
        self.notes = dict(notes)
        self._made_from = digest(source.style() + made_from)

    def hold(self, page: Path) -> bool:
        """Tell whether the page is there as it would be written now."""
        try:
            if self.notes.get(page.name) == (self._made_from, digest(page.read_bytes())):
                close_file(page)
                return True
        except OSError:
            pass
        return False

    def write(self, page: Path, text: str, *, private: bool) -> None:
        content = text.encode("utf-8", "backslashreplace")
        write_atomically(page, content, private=private)
        self.notes[page.name] = (self._made_from, digest(content))


def noted_class(out: Path) -> Notes:
    """Return the notes on the class page."""
    try:
        return msgspec.msgpack.decode((out / SHEETS / _CLASS).read_bytes(), type=Notes)
    except (OSError, msgspec.MsgspecError):
        return {}


def note_class(out: Path, notes: Notes) -> None:
    write_atomically(out / SHEETS / _CLASS, msgspec.msgpack.encode(notes), private=True)


def digest(data: str | bytes) -> bytes:
    plain = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(plain, digest_size=source.SIZE).digest()
