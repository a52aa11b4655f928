"""A Python that lacks what Windows and the browser lack, to run the students' kit in."""

from __future__ import annotations

import venv
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ABSENT = (
    "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fork forkpty getegid geteuid getgid getgroups getpgid getuid "
    "killpg mkfifo pidfd_open posix_spawn register_at_fork sched_getaffinity setsid statvfs uname wait4"
)
_REMOVAL = f"""
import os, select, sys
for name in {ABSENT.split()!r}:
    if hasattr(os, name):
        delattr(os, name)
del select.poll
for name in ("fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"):
    sys.modules[name] = None
"""


def make(folder: Path) -> Path:
    """Make it as a virtual environment whose every process begins with the removal; return its program."""
    venv.EnvBuilder(symlinks=True).create(folder)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "sitecustomize.py").write_text(_REMOVAL)
    return folder / "bin" / "python3"
