"""Lists the files of a folder without following links."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from grader.intake.offered import MOST_LISTED, Offered, Refused, UnreadableError, printable
from grader.model.file_names import MOST_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SKIPPED = frozenset({".git", "__pycache__", "node_modules", "__MACOSX"})
_FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
"""What this system has of it: Windows has the last one alone."""


def list_folder(top: Path) -> Iterator[Offered | Refused]:
    """Yield every plain file below `top`, sorted; links, special files and what can't be read are refused."""
    pending = [(str(top), "")]
    seen = 0
    while pending:
        where, prefix = pending.pop()
        try:
            with os.scandir(where) as listed:
                found = sorted(listed, key=lambda entry: entry.name)
        except OSError as error:
            if not prefix:
                raise UnreadableError(f"{printable(top.name)} can't be read: {error.strerror}") from error
            yield Refused(printable(prefix), f"can't be read: {error.strerror}")
            continue
        seen += len(found)
        if seen > MOST_LISTED:
            raise UnreadableError(f"there are more than {MOST_LISTED} files in {printable(top.name)}")
        below = []
        for entry in found:
            if not _is_folder(entry):
                yield _offered(entry, prefix + entry.name)
            elif _is_worth_a_look(entry):
                below.append((entry.path, f"{prefix}{entry.name}/"))
        if below and prefix.count("/") >= MOST_DEPTH:
            yield Refused(printable(below[0][1]), f"more than {MOST_DEPTH} folders deep")
        else:
            pending += reversed(below)


def offered_file(path: Path) -> Offered:
    """Offer a single file that the caller named itself; a link is followed."""
    real = os.path.realpath(path)
    return Offered(path.name, path.stat().st_size, lambda limit: _read(real, limit))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_worth_a_look(entry: os.DirEntry[str]) -> bool:
    is_environment = os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))  # noqa: PTH110, PTH118 - odd names
    return entry.name not in _SKIPPED and not is_environment


def _offered(entry: os.DirEntry[str], path: str) -> Offered | Refused:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return Refused(printable(path), f"can't be read: {error.strerror}")
    if stat.S_ISLNK(status.st_mode):
        return Refused(printable(path), "a symbolic link")
    if not stat.S_ISREG(status.st_mode):
        return Refused(printable(path), "no plain file")
    place = entry.path
    return Offered(path, status.st_size, lambda limit: _read(place, limit))


def _read(path: str, limit: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(limit)
