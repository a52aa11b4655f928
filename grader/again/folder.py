"""Names the user's own cache folder."""

from __future__ import annotations

import os
import stat

from grader.again.trees import OddError


def cache_folder() -> str:
    """Name the folder below XDG_CACHE_HOME or the home."""
    root = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(root):
        root = os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(root):
        raise OddError("there is no home")
    return os.path.join(root, "maze-grader")


def is_own(status: os.stat_result) -> bool:
    """Tell whether nobody but the user (and root) could have written it."""
    return status.st_uid == os.geteuid() and not stat.S_IMODE(status.st_mode) & 0o022
