"""Finds the interpreter that runs students' programs, and the folders that it can't do without.

Packages are hidden: the grader itself, the course's cases and the reference may be installed among them. Those
that an assignment allows are found one by one.
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

from grader.errors import SandboxError

if TYPE_CHECKING:
    from importlib.metadata import Distribution

    from grader.sandbox.inside.plan import Place

FACTS = ("/usr/share/zoneinfo", "/usr/lib/locale")
"""What the standard library looks up: time zones, and the locale that a case is given by `LANG`."""
PACKAGES = ("site-packages", "dist-packages")
_NAME = re.compile(r"[A-Za-z0-9._-]+")
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


def find_packages(names: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the folders and files that make up these packages and all they need."""
    found: dict[str, tuple[Path, ...]] = {}
    pending = list(names)
    while pending:
        name = _plain(pending.pop())
        if name not in found:
            distribution = _distribution(name, required=name in {_plain(asked) for asked in names})
            found[name] = _tops(distribution) if distribution else ()
            pending += _needs(distribution) if distribution else []
    return tuple(sorted({path for paths in found.values() for path in paths}))


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _distribution(name: str, *, required: bool) -> Distribution | None:
    from importlib import metadata  # noqa: PLC0415 - slow to import, and most assignments allow no package

    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError:
        if not required:  # needed on another system or Python only
            return None
        message = f"The package {name}, which the assignment allows, isn't installed beside the grader."
        raise SandboxError(message, hint=f"pip install {name}") from None


def _tops(distribution: Distribution) -> tuple[Path, ...]:
    """Return the uppermost folders and files, such as numpy and numpy.libs; scripts elsewhere are left out."""
    tops = {file.parts[0] for file in distribution.files or () if file.parts[0] not in {"..", "__pycache__"}}
    return tuple(Path(str(distribution.locate_file(top))).resolve() for top in tops if not top.endswith(".pth"))


def _needs(distribution: Distribution) -> list[str]:
    needed = [text for text in distribution.requires or () if "extra ==" not in text]
    return [match[0] for text in needed if (match := _NAME.match(text))]
