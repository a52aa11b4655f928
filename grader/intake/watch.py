"""Waits until files change, by looking at them a few times a second."""

from __future__ import annotations

import os
import time
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_EVERY_S = 0.2
_MOST_FILES = 2_000

Stamps = dict[str, tuple[int, int]]


def stamps(path: Path) -> Stamps:
    """Note size and time of a file, or of the files in a folder; hidden ones and what programs write don't count."""
    files = [str(path)] if path.is_file() else islice(_files(path), _MOST_FILES)
    found: Stamps = {}
    for file in files:
        try:
            status = os.stat(file)  # noqa: PTH116 - many times a second
        except OSError:
            continue  # an editor is just putting it in place
        found[file] = (status.st_mtime_ns, status.st_size)
    return found


def wait_for_change(path: Path, before: Stamps) -> None:
    """Return when a file is not as it was."""
    while stamps(path) == before:
        time.sleep(_EVERY_S)


def _files(folder: Path) -> list[str]:
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__", "grader-out"))]
        found += [os.path.join(place, name) for name in names if name.endswith(".py")]  # noqa: PTH118 - as above
        if len(found) > _MOST_FILES:
            break
    return found
