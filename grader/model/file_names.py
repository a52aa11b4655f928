"""Which names a file may have on its way from a student's disk into the sandbox; which folder is the grader's own."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

MOST_DEPTH = 30
"""Folders inside folders; deeper ones are a prank or a link that was copied round and round."""
MOST_PATH_BYTES = 1000
"""Of the 4096 that the kernel takes; the sandbox's own folder comes before it."""
MOST_NAME_BYTES = 255

_FOLDERS = frozenset({"__pycache__", "__MACOSX", "node_modules", "venv", "env", "site-packages"})
_CUSTOMIZE = frozenset({"sitecustomize.py", "usercustomize.py"})
_SUFFIXES = frozenset({".pyc", ".pyo", ".so", ".pyd", ".pth", ".dll", ".dylib"})


def why_dropped(path: str) -> str:
    """Say why a file never enters a submission; empty when it may."""
    parts = PurePosixPath(path).parts
    for part in parts[:-1]:
        if part in _FOLDERS or part.startswith("."):
            return f"inside {part}/"
    name = parts[-1]
    if name in _CUSTOMIZE:
        return "Python would run it before the program"
    if PurePosixPath(name).suffix.lower() in _SUFFIXES:
        return "compiled or start-up code can't be graded"
    if name.startswith("."):
        return "hidden file"
    return ""


def is_silent(path: str) -> bool:
    """Tell whether a dropped file is ordinary litter that nobody needs to hear of."""
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") and part != ".." for part in parts)
    return hidden or any(part in {"__MACOSX", "__pycache__"} for part in parts[:-1])


def unsafe_reason(path: str) -> str:
    """Say why a name from outside can't be a path below a folder; empty when it can."""
    parts = path.split("/")
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        return "an absolute path"
    if ".." in parts:
        return "a path that leaves the submission"
    if not {"", "."}.isdisjoint(parts):
        return "without a usable name"
    if any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in path):
        return "named with control characters"
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return "named in bytes that aren't UTF-8"
    if len(encoded) > MOST_PATH_BYTES or any(len(part.encode()) > MOST_NAME_BYTES for part in parts):
        return "a name too long for a file system"
    if len(parts) > MOST_DEPTH:
        return f"more than {MOST_DEPTH} folders deep"
    return ""


def cache_folder() -> Path:
    """Return the grader's folder below XDG_CACHE_HOME, or below the home where that isn't absolute."""
    root = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (root if root.is_absolute() else Path.home() / ".cache") / "maze-grader"
