"""Removes what a case left behind: its processes, its files.

The names and modes in a case's folder are the student's. So no name of ours is used in it, no path is built, no link
is followed and nothing is recursive: one descriptor goes down into each folder and up again by `..`.
"""

from __future__ import annotations

import contextlib
import os
import stat

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(path: str) -> None:
    """Remove a folder with all that is in it; one that isn't there is removed already."""
    with contextlib.suppress(FileNotFoundError):
        folder = os.open(path, FOLDER)
        try:
            empty(folder)
        finally:
            os.close(folder)
        os.rmdir(path)


def empty(folder: int) -> None:
    """Remove everything below an open folder, however deep it is nested, and give it back its owner's rights."""
    here = os.dup(folder)
    above: list[tuple[str, list[str]]] = []
    try:
        below = _unlink_files(here)
        while above or below:
            if below:
                above.append((below.pop(), below))
                here = _go(here, above[-1][0])
                below = _unlink_files(here)
            else:
                name, below = above.pop()
                here = _go(here, "..")
                os.rmdir(name, dir_fd=here)
    finally:
        os.close(here)


def _go(here: int, name: str) -> int:
    """Go into a folder of this one, or up to the one above."""
    if name != "..":
        os.chmod(name, 0o700, dir_fd=here)
    there = os.open(name, FOLDER, dir_fd=here)
    os.close(here)
    return there


def _unlink_files(folder: int) -> list[str]:
    """Remove what isn't a folder; name the folders."""
    os.fchmod(folder, 0o700)
    folders = []
    for name in os.listdir(folder):
        if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            folders.append(name)
        else:
            os.unlink(name, dir_fd=folder)
    return folders


def kill_group(pid: int) -> None:
    """Kill the process group that the case led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, 9)


def kill_orphans(spared: int) -> int:
    """Kill and reap every descendant that fell to us as sub-reaper, but not the spared one."""
    count = 0
    while pids := [pid for pid in _children() if pid != spared]:
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
