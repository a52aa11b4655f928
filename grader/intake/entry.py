"""One file as a folder, an archive or a git tree offers it, before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Entry(NamedTuple):
    """A file that may be read later: `read(limit)` gives at most `limit` bytes."""

    path: str
    """Below the submission's top, with '/'."""
    size: int
    read: Callable[[int], bytes]


class Refused(NamedTuple):
    """A name that is no plain file inside the submission, and why."""

    path: str
    reason: str


class UnreadableError(Exception):
    """The source can't be opened at all; the text is for people."""
