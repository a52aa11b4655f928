"""Finds the interpreter that runs students' programs, past shims and virtual environments."""

from __future__ import annotations

import os
import stat
import sys
import sysconfig
from functools import cache
from pathlib import Path

import msgspec


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """A real interpreter: its binary and the folders it can't do without."""

    executable: str
    version: str
    """`3.11`, as in the names of its folders."""
    library: str
    """Folder of the standard library."""


@cache
def find() -> Interpreter:
    """Give the interpreter under this process, not the virtual environment around it."""
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
