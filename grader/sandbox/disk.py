"""Watches the disk that a case uses where no mount of its own bounds it."""

from __future__ import annotations

import errno
import os
import time

ENTRY_COST = 4096
"""A folder takes a block, and an empty file costs no less: an inode, a name, and the time to remove it."""
SLACK = 1 << 20
"""Over the limit that single files have from the kernel, so that a file just at it is no breach."""
SHARE = 5
"""A look that took long is repeated only after this many times as long."""
_GONE = {errno.ENOENT, errno.ENOTDIR}


class DiskWatch:
    """Tells whether a folder has grown beyond its limit; looks at most as often as it is cheap."""

    def __init__(self, folder: str, limit_bytes: int) -> None:
        self._folder = folder
        self._limit = limit_bytes + SLACK
        self._next = 0.0

    def is_over(self) -> bool:
        began = time.monotonic()
        if began < self._next:
            return False
        over = _is_larger(self._folder, self._limit)
        self._next = began + SHARE * (time.monotonic() - began)
        return over


def _is_larger(folder: str, limit: int) -> bool:
    """Count until the limit is passed. A folder that can't be looked into hides something, and counts as too much."""
    total = 0
    pending = [folder]
    while pending and total <= limit:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    total += ENTRY_COST
        except OSError as error:
            if error.errno not in _GONE:
                return True
    return total > limit
