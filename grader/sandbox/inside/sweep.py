"""Removes what a case left behind: its processes, its files."""

from __future__ import annotations

import contextlib
import os
import stat
import sys


def empty(folder: str) -> None:
    """Remove everything below the folder, never following a link, however deep it is nested."""
    lifted = 0
    while names := os.listdir(folder):
        for name in names:
            lifted = _remove(folder, name, lifted)


def _remove(folder: str, name: str, lifted: int) -> int:
    """Remove one entry; a folder's own entries are lifted up first, so that no path grows long."""
    path = os.path.join(folder, name)
    if not stat.S_ISDIR(os.lstat(path).st_mode):
        os.unlink(path)
        return lifted
    os.chmod(path, 0o700)
    for entry in os.listdir(path):
        inner = os.path.join(path, entry)
        if stat.S_ISDIR(os.lstat(inner).st_mode):
            os.chmod(inner, 0o700)  # moving a folder needs the right to write it
        os.rename(inner, os.path.join(folder, f"\x01{lifted}"))
        lifted += 1
    os.rmdir(path)
    return lifted


def kill_group(pid: int) -> None:
    """Kill the process group that the case led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, 9)


def kill_orphans(spared: int) -> int:
    """Kill and reap every descendant that fell to us as sub-reaper, but not the spared one; Linux only."""
    count = 0
    while sys.platform == "linux" and (pids := [pid for pid in _children() if pid != spared]):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, 9)
        for pid in pids:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
                count += 1
    return count


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []
