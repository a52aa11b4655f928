"""Lists the folders that an interpreter can't do without, and nothing more.

Packages are hidden: the grader itself, the course's cases and the reference may be installed among them.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

import msgspec

from grader.sandbox import interpreter

ZONES = "/usr/share/zoneinfo"
PACKAGES = ("site-packages", "dist-packages")
_PYTHON = re.compile(r"python\d|pypy|node_modules")


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A folder to read, but for some of its folders."""

    path: str
    hidden: tuple[str, ...] = ()

    def entries(self) -> tuple[str, ...]:
        """Give paths that together are the place without what is hidden."""
        if not self.hidden:
            return (self.path,)
        return tuple(sorted(str(entry) for entry in Path(self.path).iterdir() if entry.name not in self.hidden))


@cache
def find() -> tuple[Place, ...]:
    """Give the standard library, the shared libraries and the time zones; outer folders first."""
    library = os.path.realpath(interpreter.find().library)
    places = {folder: _library_folder(folder) for folder in _shared_library_folders()}
    places[library] = Place(path=library, hidden=PACKAGES)
    if Path(ZONES).is_dir():
        places[ZONES] = Place(path=ZONES)
    return tuple(places[path] for path in sorted(places))


def _library_folder(folder: str) -> Place:
    """Give a folder of shared libraries; Pythons that live in it are none of a case's business."""
    hidden = [entry.name for entry in Path(folder).iterdir() if _PYTHON.match(entry.name) and entry.is_dir()]
    return Place(path=folder, hidden=tuple(sorted(hidden)))


def _shared_library_folders() -> set[str]:
    """Give the folders from which this very process has its shared libraries: a case's may need no others."""
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return set()
    mapped = {line.split(maxsplit=5)[5] for line in maps.read_text().splitlines() if ".so" in line}
    folders = {os.path.realpath(Path(path).parent) for path in mapped if path.startswith("/")}
    return {folder for folder in folders if "python" not in folder}
