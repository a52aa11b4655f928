"""What a finished grade leaves behind: what went in, what came out, what it said.

    <cache folder>/again/<digest of the command line and its folder>     a checksum, then the stamp

A stamp is put in its place whole. One that is damaged, or that others could have written, is none.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from grader.again.folder import cache_folder, is_own
from grader.again.trees import SIZE, Inventory, OddError

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMAT = 1  # of the stamp; 1: the first
_MOST = 50
_MOST_BYTES = 64 << 20


class Stamp(NamedTuple):
    """One finished grade."""

    facts: bytes
    """Machine, Python, variables, installed packages."""
    submissions: tuple[str, ...]
    catalogue: tuple[str, ...]
    data: bytes
    """Digest of both."""
    source: tuple[str, ...]
    code: bytes
    """Digest of the source."""
    outputs: tuple[str, ...]
    marks: bytes
    """Digest that tells whether every output is still the same file, unchanged, or still missing."""
    text: str
    """What was printed."""


def digest_data(submissions: tuple[str, ...], catalogue: tuple[str, ...]) -> bytes:
    """Digest what is graded, in which no link is followed, and by what, where links are; OddError if it can't be."""
    return Inventory(submissions, follow=False).digest + Inventory(catalogue, follow=True).digest


def mark_of(path: str) -> tuple[int, ...]:
    """Give what tells a file from any other and from itself after a change; nothing for a missing one."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return ()
    return (status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def digest_marks(paths: Iterable[str]) -> bytes:
    """Digest the marks of many files."""
    state = blake2b(digest_size=SIZE)
    for path in paths:
        state.update(repr(mark_of(path)).encode())
    return state.digest()


def read(arguments: list[str]) -> Stamp | None:
    """Give the stamp that this very command left in this folder; None when there is none to be trusted."""
    place = _place(arguments)
    try:
        if not all(is_own(os.lstat(path)) for path in (cache_folder(), os.path.dirname(place))):
            return None
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        content = file.read() if is_own(status) and stat.S_ISREG(status.st_mode) else b""
    checksum, body = content[:SIZE], content[SIZE:]
    if not body or _checksum(place, body) != checksum:
        return None
    return Stamp(*marshal.loads(body))  # noqa: S302 - our own file, and whole


def write(arguments: list[str], stamp: Stamp) -> None:
    """Put the stamp in its place; where that can't be, there is none."""
    place = _place(arguments)
    folder = os.path.dirname(place)
    body = marshal.dumps(tuple(stamp))
    draft = f"{place}.{os.getpid()}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as file:
            file.write(_checksum(place, body) + body)
        os.replace(draft, place)
        _trim(folder)
    except OSError:
        return


def _place(arguments: list[str]) -> str:
    try:
        here = os.getcwd()
    except OSError as error:
        raise OddError(str(error)) from error
    name = blake2b(repr((FORMAT, sys.version, here, arguments)).encode("utf-8", "surrogateescape"), digest_size=SIZE)
    return os.path.join(cache_folder(), "again", name.hexdigest())


def _checksum(place: str, body: bytes) -> bytes:
    """Digest a stamp and its name: under another command's name it is none."""
    return blake2b(body, digest_size=SIZE, key=os.path.basename(place).encode()).digest()


def _trim(folder: str) -> None:
    """Keep the newest stamps only, and drop drafts that nobody will finish."""
    with os.scandir(folder) as listing:
        kept = sorted(
            ((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in listing), reverse=True
        )
    total = 0
    for place, (_, size, path) in enumerate(kept):
        total += size
        if place >= _MOST or total > _MOST_BYTES:
            os.unlink(path)
