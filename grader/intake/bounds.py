"""How much a submission may hold, and what never enters it."""

from __future__ import annotations

from pathlib import PurePosixPath

MOST_FILES = 500
"""Homework is a handful of files; a thousand are a pasted virtual environment."""
MOST_BYTES = 8 << 20
"""All files together; they travel to every run."""
MOST_FILE_BYTES = 4 << 20
MOST_LISTED = 20_000
"""Names looked at before giving up: a bound for hostile archives."""

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
    hidden = any(part.startswith(".") for part in parts)
    return hidden or any(part in {"__MACOSX", "__pycache__"} for part in parts[:-1])


def unsafe_reason(path: str) -> str:
    """Say why a name from outside can't be a path below a folder; empty when it can."""
    if not path or "\0" in path:
        return "no usable name"
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        return "an absolute path"
    if ".." in PurePosixPath(path).parts:
        return "a path that leaves the submission"
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in path):
        return "control characters in its name"
    if any(len(part.encode("utf-8", "replace")) > 255 for part in path.split("/")) or len(path) > 1000:
        return "a name too long for a file system"
    return ""
