"""Makes scratch folders of our own, and removes those that a killed run has left.

Whoever made a folder holds a lock on it. One of our own user's that nobody holds is a leftover.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from functools import cache
from pathlib import Path

from grader.sandbox.inside.wall import sweep

PREFIX = "grader-box-"


class Scratch:
    """A folder in the system's place for such, ours alone until `remove`."""

    def __init__(self) -> None:
        _remove_leftovers(tempfile.gettempdir())
        self._lock: int | None = None
        while self._lock is None:  # another run may have taken it for a leftover before it was locked
            self.path = Path(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)))
            try:
                self._lock = _locked(self.path)
            except OSError:
                self.path.rmdir()
                raise

    def remove(self) -> None:
        """Remove it; what can't be removed is left to the next run."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)  # first, for where there are too few descriptors the removal needs this one
        with contextlib.suppress(OSError):
            sweep.remove(str(self.path))


def _locked(path: Path) -> int | None:
    """Return a descriptor that holds the lock on a folder of ours; None when another holds it, or it is gone."""
    try:
        folder = os.open(path, sweep.FOLDER)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        if os.fstat(folder).st_uid == os.getuid():
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(folder), path.lstat()):
                return folder
    os.close(folder)
    return None


@cache
def _remove_leftovers(place: str) -> None:
    """Once per process: remove the folders that nobody holds."""
    for path in Path(place).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            lock = _locked(path)
            if lock is not None:
                os.close(lock)
                sweep.remove(str(path))
