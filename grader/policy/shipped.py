"""Gives the source that watches banned modules, to be sent where our package can't be read."""

from __future__ import annotations

import pkgutil


def watcher_source() -> str:
    """Read it through its loader, so that it is found in a folder, in a zip, and when pytest has loaded it."""
    return (pkgutil.get_data("grader.policy", "watch.py") or b"").decode()
