"""Folders of the user that more than one room writes to."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return the grader's folder below XDG_CACHE_HOME, or below the home where that isn't absolute."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (root if root.is_absolute() else Path.home() / ".cache") / "maze-grader"
