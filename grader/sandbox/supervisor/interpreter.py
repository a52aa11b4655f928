"""Finds the interpreter that runs students' programs, and the folders that it can't do without.

Packages are hidden: the grader itself, the course's cases and the reference may be installed among them.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import sysconfig
from functools import cache
from pathlib import Path

import msgspec

ZONES = "/usr/share/zoneinfo"
PACKAGES = ("site-packages", "dist-packages")
_PYTHON = re.compile(r"python\d|pypy|node_modules")


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """A real interpreter: its binary and the folders it can't do without."""

    executable: str
    version: str
    """`3.11`, as in the names of its folders."""
    library: str
    """Folder of the standard library."""


@cache
def find() -> Interpreter:
    """Return the interpreter under this process, not the virtual environment around it."""
    base = getattr(sys, "_base_executable", None) or sys.executable
    return Interpreter(
        executable=os.path.realpath(base),
        version=f"{sys.version_info.major}.{sys.version_info.minor}",
        library=sysconfig.get_path("stdlib"),
    )


def readable_by_others(path: str) -> bool:
    """Tell whether a user with no rights of their own could read below this path."""
    here = Path(path)
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (here, *here.parents))


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A folder to read, but for some of its folders."""

    path: str
    hidden: tuple[str, ...] = ()

    def entries(self) -> tuple[str, ...]:
        """Return paths that together are the place without what is hidden."""
        if not self.hidden:
            return (self.path,)
        return tuple(sorted(str(entry) for entry in Path(self.path).iterdir() if entry.name not in self.hidden))


@cache
def readable() -> tuple[Place, ...]:
    """Return the standard library, the shared libraries and the time zones; outer folders first."""
    library = os.path.realpath(find().library)
    places = {folder: _library_folder(folder) for folder in _shared_library_folders()}
    places[library] = Place(path=library, hidden=PACKAGES)
    if Path(ZONES).is_dir():
        places[ZONES] = Place(path=ZONES)
    return tuple(places[path] for path in sorted(places))


def _library_folder(folder: str) -> Place:
    """Return a folder of shared libraries; Pythons that live in it are none of a case's business."""
    hidden = [entry.name for entry in Path(folder).iterdir() if _PYTHON.match(entry.name) and entry.is_dir()]
    return Place(path=folder, hidden=tuple(sorted(hidden)))


def _shared_library_folders() -> set[str]:
    """Return the folders from which this very process has its shared libraries: a case's may need no others."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return set()
    mapped = {line.split(maxsplit=5)[5] for line in maps.read_text().splitlines() if ".so" in line}
    folders = {os.path.realpath(Path(path).parent) for path in mapped if path.startswith("/")}
    return {folder for folder in folders if "python" not in folder}
