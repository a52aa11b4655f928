"""Facts of the machine, the user and Python that decide how a program runs."""

from __future__ import annotations

import os
import sys
from hashlib import blake2b
from typing import TYPE_CHECKING

from grader.again.trees import SIZE

if TYPE_CHECKING:
    from collections.abc import Iterator

_SETTINGS = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/sys/kernel/security/lsm",
)
_RIGHTS = ("Cap", "NoNewPrivs", "Seccomp")
_VARIABLES = ("GRADER_", "PYTHON", "XDG_", "LC_", "LANG", "HOME", "TMPDIR", "TZ", "VIRTUAL_ENV")
_IMPORTED = (".py", ".so", ".pyd", ".pth")
_INSTALLED = (".dist-info", ".egg-info")


def machine() -> bytes:
    """Digest what the strength of the wall hangs on: kernel, boot, user, rights, namespaces, Python."""
    rights = [line for line in _read("/proc/self/status").splitlines() if line.startswith(_RIGHTS)]
    spaces = [_link(f"/proc/self/ns/{name}") for name in ("user", "mnt", "net", "pid", "ipc", "uts")]
    people = (os.getuid(), os.geteuid(), os.getgid(), os.getegid(), os.getgroups())
    return _digest((*os.uname(), *map(_read, _SETTINGS), rights, spaces, people, _python()))


def variables() -> bytes:
    """Digest the variables that we, Python or a kit of good manners read."""
    return _digest(sorted(item for item in os.environ.items() if item[0].startswith(_VARIABLES)))


def installed() -> bytes:
    """Digest where imports look and what they find there, but for Python's own library."""
    folders = [folder for folder in sys.path if not _is_library(folder)]
    return _digest([(folder, list(_importable(folder))) for folder in folders])


def _python() -> tuple[object, ...]:
    library = os.stat(os.__file__)
    return (sys.version, sys.executable, os.path.realpath(sys.executable), tuple(sys.flags), library.st_mtime_ns)


def _importable(folder: str) -> Iterator[tuple[str, int]]:
    """Give what an import can find in a folder, and when each installed distribution was put there."""
    try:
        with os.scandir(folder or ".") as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(_INSTALLED):
            yield entry.name, entry.stat().st_mtime_ns
        elif entry.name.endswith(_IMPORTED) or os.path.exists(f"{entry.path}/__init__.py"):
            yield entry.name, 0


def _is_library(folder: str) -> bool:
    here = os.path.dirname(os.__file__)
    return folder == here or folder.startswith(f"{here}/lib-dynload") or folder.endswith(".zip")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _link(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return ""


def _digest(facts: object) -> bytes:
    return blake2b(repr(facts).encode("utf-8", "surrogateescape"), digest_size=SIZE).digest()
