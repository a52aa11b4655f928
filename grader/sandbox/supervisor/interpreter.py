"""Finds the interpreter that runs students' programs, and the folders that it can't do without.

Packages are hidden: the grader itself, the course's cases and the reference may be installed among them.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from grader.sandbox.inside.plan import Place

FACTS = ("/usr/share/zoneinfo", "/usr/lib/locale")
"""What the standard library looks up: time zones, and the locale that a case is given by `LANG`."""
PACKAGES = ("site-packages", "dist-packages")
_PYTHON = re.compile(r"python\d|pypy|node_modules")


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """A real interpreter: its binary and the folders it can't do without."""

    executable: str
    library: str
    """Folder of the standard library."""


@cache
def find() -> Interpreter:
    """Return the interpreter under this process, not the virtual environment around it."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return Interpreter(executable=os.path.realpath(base), library=str(Path(os.__file__).parent))


def readable_by_others(path: str) -> bool:
    """Tell whether a user with no rights of their own could read below this path."""
    here = Path(path)
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (here, *here.parents))


@cache
def readable() -> tuple[Place, ...]:
    """Return the standard library, the shared libraries and the facts; outer folders first."""
    hidden = {folder: _pythons(folder) for folder in _shared_library_folders()}
    hidden[os.path.realpath(find().library)] = [*PACKAGES]
    for path in filter(os.path.isdir, FACTS):
        hidden[path] = []
    return tuple({"path": path, "hidden": hidden[path]} for path in sorted(hidden))


def all_entries() -> list[str]:
    """Return the same as paths, without what is hidden."""
    return [path for place in readable() for path in entries(place)]


def entries(place: Place) -> list[str]:
    """Return paths that together are the place without what is hidden."""
    if not place["hidden"]:
        return [place["path"]]
    return sorted(str(entry) for entry in Path(place["path"]).iterdir() if entry.name not in place["hidden"])


def _pythons(folder: str) -> list[str]:
    """Name the Pythons that live in a folder of shared libraries: they are none of a case's business."""
    return sorted(entry.name for entry in Path(folder).iterdir() if _PYTHON.match(entry.name) and entry.is_dir())


def _shared_library_folders() -> set[str]:
    """Return the folders from which this very process has its shared libraries: a case's may need no others."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return set()
    mapped = {line.split(maxsplit=5)[5] for line in maps.read_text().splitlines() if ".so" in line}
    folders = {os.path.realpath(Path(path).parent) for path in mapped if path.startswith("/")}
    return {folder for folder in folders if "python" not in folder}
