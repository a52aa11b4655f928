"""One file as a folder, an archive or a git tree offers it, and how much a submission may hold.

Whatever is accepted can be written into the sandbox's own file system together with any case's input. Its disk and
its number of files and folders are bounded (INODES in sandbox/inside); what is left over belongs to the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_FILES = 500
"""Homework is a handful of files; a thousand are a pasted virtual environment."""
MOST_FOLDERS = 200
"""With all files and the input they leave the program some 300 of the sandbox's 1000 files and folders."""
MOST_BYTES = 8 << 20
"""All files together; they travel to every run."""
MOST_FILE_BYTES = 4 << 20
BOUNDS = f"{MOST_FILES} files in {MOST_FOLDERS} folders and {MOST_BYTES >> 20} MiB"
BLOCK = 4096
"""What even the smallest file takes of the sandbox's disk."""
MOST_LISTED = 20_000
"""Names looked at before giving up: a bound for hostile archives."""
MOST_UNPACKED = 64 << 20
"""What a tar may unpack to; it is read from its beginning to its end."""


class Offered(NamedTuple):
    """A file that may be read later: `read(limit)` returns at most `limit` bytes."""

    path: str
    """Below the submission's top, with '/'."""
    size: int
    read: Callable[[int], bytes]


class Refused(NamedTuple):
    """A name that is no plain file inside the submission, and why."""

    path: str
    reason: str


class UnreadableError(Exception):
    """The source can't be read at all; the text is for people."""


def printable(name: str) -> str:
    """Return a name that can be stored and shown: no undecodable bytes, no control characters."""
    text = name.encode("utf-8", "replace").decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "?" for letter in text)
