"""Gives the source that watches banned modules, to be sent where our package can't be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader import policy


def watcher_source() -> str:
    """Read it through its package's loader, so that it is found in a folder and in a zip."""
    loader: Any = policy.__loader__
    text: bytes = loader.get_data(str(Path(policy.__path__[0], "watch.py")))
    return text.decode()
