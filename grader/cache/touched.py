"""Notes what kits and judges of a course read besides what they are given: files, variables, anything else.

A result hangs on it as well. Whatever is opened, listed, connected to or started while code of a course is on the
stack is noted, in this process and in those forked from it. What Python doesn't tell of stays unseen: the clock,
whether a file exists.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import source_from_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.source import OURS, is_below, is_library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FrameType

_LISTINGS = frozenset({"os.listdir", "os.scandir"})
_STRANGE = frozenset({
    "_thread.start_new_thread", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system",
    "pty.spawn", "socket.bind", "socket.connect", "socket.getaddrinfo", "sqlite3.connect", "subprocess.Popen",
})  # fmt: skip
_HEARD = _LISTINGS | _STRANGE | {"open"}


class Noted(NamedTuple):
    """What was touched."""

    files: set[str]
    variables: set[str]
    strange: set[str]
    """Folders listed, processes started, connections."""


_noted = Noted(set(), set(), set())
_settled: set[str] = set()
"""Files, folders and variables that are accounted for."""
_late: list[str] = []
"""What was touched although it is not."""
_watching: list[bool] = []


def watch() -> None:
    """Begin to note, before the first kit is imported; there is no end."""
    if not _watching:
        _watching.append(True)
        sys.addaudithook(_hear)
        os.environ.__class__ = _Environment


def is_watching() -> bool:
    return bool(_watching)


def noted() -> Noted:
    """Return what was touched since the process began."""
    return _noted


def settle(roots: Iterable[str]) -> None:
    """Account for these files and folders, and for the variables read up to now."""
    _settled.update(roots, _noted.variables)
    _late.clear()


def is_clean() -> bool:
    """Tell whether nothing was touched since then that isn't accounted for."""
    return not _late


class _Environment(type(os.environ)):  # type: ignore[misc] # it has no public name
    def __getitem__(self, key: str) -> str:
        if isinstance(key, str) and _is_of_a_course():
            _note(_noted.variables, key)
        found: str = super().__getitem__(key)
        return found

    def __iter__(self) -> Iterator[str]:
        names = list(super().__iter__())
        if _is_of_a_course():
            for name in names:
                _note(_noted.variables, name)
        return iter(names)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if event not in _HEARD or not _is_of_a_course():
        return
    if event in _STRANGE:
        _note(_noted.strange, event)
        return
    path = _path_of(arguments[0])
    if not path or is_library(path) or is_below(path, (*OURS, *_settled)):
        return
    if event == "open":
        if path not in sys.path:  # an archive of modules, looked into for what is installed
            _note(_noted.files, path)
    elif "importlib" not in sys._getframe(1).f_code.co_filename:  # noqa: SLF001 - what that finds is opened, if needed
        _note(_noted.strange, path)


def _note(kind: set[str], what: str) -> None:
    kind.add(what)
    if what not in _settled:
        _late.append(what)


def _path_of(named: Any) -> str:
    """Return the file's full path, of a compiled module its source; a descriptor was opened before."""
    if isinstance(named, int):
        return ""
    try:
        path = os.path.realpath(os.fsdecode(named) if named is not None else ".")
        if f"{os.sep}__pycache__{os.sep}" in path:
            return source_from_cache(path) if path.endswith(".pyc") else ""  # else Python is just writing it
    except (TypeError, ValueError):  # a name with a NUL, or of a tool's own cache: no file that we can name
        return repr(named)
    return path


def _is_of_a_course() -> bool:
    """Tell whether code that is neither ours nor Python's nor installed is on the stack."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the stack is the subject
    while frame is not None:
        if _is_foreign(frame.f_code.co_filename) and frame.f_globals.get("__name__") != "__main__":
            return True
        frame = frame.f_back
    return False


@cache
def _is_foreign(path: str) -> bool:
    real = os.path.realpath(path)
    return not path.startswith("<") and not is_below(real, OURS) and not is_library(real)
