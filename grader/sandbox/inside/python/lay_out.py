"""Lays out what the student's program finds: its files, its arguments, its place in the path."""

from __future__ import annotations

import os
import sys
from errno import EPERM
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..plan import How

AT_START = {"LD_BIND_NOW": "1", "MALLOC_ARENA_MAX": "1"}
"""Has the loader look up every symbol at the zygote's start, and not each child again those that it uses; and has all
threads allocate from one arena, for each of their own would take 64 MiB of the address space that bounds a case."""
STARTING = frozenset(
    {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn", "subprocess.Popen"}
)
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
MESSAGE = "a program that is being graded can't start another process"


def pose_as_plain() -> None:
    """Hide the virtual environment that hides the grader's packages, and what only the start needed."""
    for name in AT_START:
        del os.environ[name]
    sys.prefix, sys.exec_prefix = sys.base_prefix, sys.base_exec_prefix
    sys.executable = sys._base_executable  # type: ignore[attr-defined]  # noqa: SLF001 -- no public name for it


def write_files(home: str, temporary: str, files: list[tuple[str, bytes]]) -> None:
    """Make the two folders; write the submission and its input below the working directory."""
    os.mkdir(temporary)
    os.mkdir(home)
    for path, content in files:
        target = f"{home}/{path}"
        if "/" in path:
            os.makedirs(os.path.dirname(target), exist_ok=True)
        _write(target, content)


def _write(path: str, content: bytes) -> None:
    """Write a file by bare calls: a file object would touch three times as many pages."""
    fd = os.open(path, _FLAGS, 0o666)
    while content:
        content = content[os.write(fd, content) :]
    os.close(fd)


def set_arguments(home: str, how: How) -> None:
    """Make `sys` look as it does after `python3 main argv…`, or after an import from the working directory."""
    os.chdir(home)
    main = how["main"]
    sys.argv[:] = [main, *how["argv"]]
    sys.orig_argv[:] = ["python3", *sys.argv]
    sys.path[0] = os.path.dirname(f"{home}/{main}")


def explain_refusals() -> None:
    """Say in plain words why another program isn't started; the wall refuses it anyway, with two bare words."""
    sys.addaudithook(_refuse)


def _refuse(event: str, _arguments: tuple[Any, ...]) -> None:
    if event in STARTING:
        raise PermissionError(EPERM, MESSAGE)


_refuse.__code__ = _refuse.__code__.replace(co_filename="<sandbox>")  # it is the last line of a student's traceback
