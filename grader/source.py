"""Digests source by its content: our own, a package's, what is installed."""

from __future__ import annotations

import os
import stat
import sys
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SIZE = 20
_PACKAGE = Path(__file__).resolve().parent
_TEMPLATES = (_PACKAGE / "bundled" / "templates", _PACKAGE.parent / "templates")
OURS = (str(_PACKAGE), *(str(folder) for folder in _TEMPLATES if folder.is_dir()))
"""The harness and its templates."""
_LIBRARY = os.path.realpath(Path(os.__file__).parent)
_PACKAGES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
_BUNDLED = str(_PACKAGE / "bundled")
"""Data of an installed grader; what of it counts is digested where it is used."""
_LITTER = frozenset({".git", "__pycache__"})
_MOST_FILES = 20_000
_MOST_BYTES = 128 << 20
_IMPORTED = (".py", ".so", ".pth")
_INSTALLED = (".dist-info", ".egg-info")


class UnsureError(RuntimeError):
    """Source whose content can't be told for sure."""


class Tree:
    """The digest of some files and folders, whatever folder they lie in, and when the newest was changed.

    `status` digests what the file system says of each file: while a process lives, nobody changes content without it.
    """

    def __init__(self, roots: Iterable[str], *, reads: bool = True) -> None:
        """Read every file; without `reads` take the status alone."""
        from hashlib import blake2b  # noqa: PLC0415 - it loads OpenSSL, and a `check` digests nothing

        self._reads = reads
        self._status = blake2b(digest_size=SIZE)
        self.changed_ns = 0
        self._state = blake2b(digest_size=SIZE)
        self._files = 0
        self._bytes = 0
        try:
            for root in roots:
                self._add(root, os.stat(root))  # noqa: PTH116 - a Path for each of a thousand files is slow
        except OSError as error:
            raise UnsureError(f"{error.filename}: {error.strerror}") from error
        self.digest = self._state.digest()
        self.status = self._status.digest()

    def _add(self, path: str, status: os.stat_result) -> None:
        name = os.path.basename(path)  # noqa: PTH119 - as above
        if stat.S_ISDIR(status.st_mode):
            if name not in _LITTER and path != _BUNDLED:
                self._note(b"folder", name)
                self._add_folder(path)
                self._note(b"end", name)
        elif not stat.S_ISREG(status.st_mode):
            raise UnsureError(f"{path} is neither file nor folder")
        elif not name.endswith(".pyc"):
            self._add_file(path, status)

    def _add_folder(self, path: str) -> None:
        with os.scandir(path) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        for entry in entries:
            self._add(entry.path, entry.stat())

    def _add_file(self, path: str, status: os.stat_result) -> None:
        self._files += 1
        self._bytes += status.st_size
        if self._files > _MOST_FILES or self._bytes > _MOST_BYTES:
            raise UnsureError(f"{path}: too many files to read them all")
        seen = (path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        self._status.update(os.fsencode(repr(seen)))
        self.changed_ns = max(self.changed_ns, status.st_ctime_ns)
        if not self._reads:
            return
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            content = file.read()
        self._note(b"file", f"{len(content)} {os.path.basename(path)}")  # noqa: PTH119 - as above
        self._state.update(content)

    def _note(self, kind: bytes, text: str) -> None:
        data = os.fsencode(text)
        self._state.update(b"%s %d %s\0" % (kind, len(data), data))


@cache
def begun_ns() -> int:
    """Return when this process was started, by the clock of file times."""
    try:
        ticks = int(Path("/proc/self/stat").read_text("ascii", "replace").rpartition(")")[2].split()[19])
        boot = time.CLOCK_BOOTTIME
    except (OSError, AttributeError) as error:  # a system that doesn't say
        raise UnsureError(str(error)) from error
    age_s = time.clock_gettime(boot) - ticks / os.sysconf("SC_CLK_TCK")
    return int((time.time() - age_s) * 1e9)


@cache
def own() -> Tree:
    """Return the digest of the harness and its templates; it is taken once."""
    return Tree(OURS)


def package_of(name: str) -> tuple[str, ...]:
    """Return the folders of the topmost package that a module is in; of a module in no package its file."""
    try:
        spec = find_spec(name.partition(".")[0])
    except (ImportError, ValueError) as error:
        raise UnsureError(f"{name}: {error}") from error
    if spec is None or not (spec.submodule_search_locations or spec.has_location):
        raise UnsureError(f"there is no source of {name}")
    found = spec.submodule_search_locations or (spec.origin or "",)
    return tuple(os.path.realpath(path) for path in found)


def is_below(path: str, roots: Iterable[str]) -> bool:
    return any(path == root or path.startswith(root + os.sep) for root in roots)


def is_library(path: str) -> bool:
    """Tell whether a file is Python's own or installed."""
    return is_below(path, (_LIBRARY,)) or any(part in path for part in _PACKAGES)


def loaded_elsewhere() -> Iterator[str]:
    """Yield the files of all loaded modules that are neither ours nor installed nor Python's own."""
    for name, module in tuple(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path and name != "__main__" and not is_below(os.path.realpath(path), OURS) and not is_library(path):
            yield os.path.realpath(path)


@cache
def style() -> bytes:
    """Return the digest of everything that decides how a page looks, but for what it shows."""
    from hashlib import blake2b  # noqa: PLC0415 - as above

    return blake2b(own().digest + os.fsencode(repr(installed())), digest_size=SIZE).digest()


@cache
def installed() -> list[tuple[str, str, int]]:
    """List what an import could find, but for Python's own library, and when each distribution was installed."""
    folders = [folder for folder in sys.path if "-packages" in folder or not is_below(folder, (_LIBRARY,))]
    return [(folder, *found) for folder in folders for found in _importable(folder)]


def _importable(folder: str) -> Iterator[tuple[str, int]]:
    try:
        with os.scandir(folder or ".") as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(_INSTALLED):
            yield entry.name, entry.stat().st_mtime_ns
        elif entry.name.endswith(_IMPORTED) or Path(entry.path, "__init__.py").exists():
            yield entry.name, 0
