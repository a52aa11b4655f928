"""Lists the files of a folder without following links."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from grader.intake.bounds import MOST_LISTED
from grader.intake.entry import Entry, Refused, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SKIPPED = frozenset({".git", "__pycache__", "node_modules", "__MACOSX"})


def list_folder(top: Path) -> Iterator[Entry | Refused]:
    """Give every plain file below `top`, sorted; links and special files are refused."""
    seen = 0
    for where, folders, names in os.walk(top, onerror=_complain):
        folders[:] = sorted(name for name in folders if _descend(where, name))
        for name in sorted(names):
            seen += 1
            if seen > MOST_LISTED:
                raise UnreadableError(f"more than {MOST_LISTED} files below {top}")
            path = os.path.join(where, name)  # noqa: PTH118 - names may be undecodable, os keeps their surrogates
            yield _entry(path, os.path.relpath(path, top))


def file_entry(path: Path) -> Entry:
    """Give a single file that the caller named itself; a link is followed."""
    real = os.path.realpath(path)
    return Entry(path.name, path.stat().st_size, lambda limit: _read(real, limit))


def _complain(error: OSError) -> None:
    raise UnreadableError(f"can't read {error.filename}: {error.strerror}")


def _descend(where: str, name: str) -> bool:
    path = os.path.join(where, name)  # noqa: PTH118 - names may be undecodable, os keeps their surrogates
    is_environment = os.path.exists(os.path.join(path, "pyvenv.cfg"))  # noqa: PTH110, PTH118
    return name not in _SKIPPED and not is_environment and not os.path.islink(path)  # noqa: PTH114


def _entry(path: str, relative: str) -> Entry | Refused:
    shown = relative.replace(os.sep, "/").encode("utf-8", "replace").decode("utf-8", "replace")
    try:
        status = os.lstat(path)
    except OSError as error:
        return Refused(shown, f"can't be read: {error.strerror}")
    if stat.S_ISLNK(status.st_mode):
        return Refused(shown, "a symbolic link")
    if not stat.S_ISREG(status.st_mode):
        return Refused(shown, "no plain file")
    return Entry(shown, status.st_size, lambda limit: _read(path, limit))


def _read(path: str, limit: int) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(limit)
