"""A file as a run wrote it, or found it written already."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os


class Written(NamedTuple):
    """Enough to tell, at the end of the run, whether somebody else has put another file there."""

    path: str
    inode: int
    size: int
    changed_ns: int

    @classmethod
    def of(cls, path: object, status: os.stat_result) -> Written:
        return cls(str(path), status.st_ino, status.st_size, status.st_mtime_ns)
