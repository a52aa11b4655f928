"""Builds the container that a zygote lives in: a read-only root with nothing but the interpreter.

/                  tmpfs, read-only
├── <interpreter>  its standard library and the shared libraries, bound read-only at their own paths
├── dev            null, zero, full, random, urandom
├── etc            ld.so.cache
├── home/student   where each case mounts its own tmpfs
└── tmp            → home/student/tmp
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from . import linux
from .linux import MS_BIND, MS_NODEV, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC, MS_REMOUNT

if TYPE_CHECKING:
    from ..plan import Place

BOX = "/home/student"
OWN = "/home"
"""What Landlock grants to a case: the folder above the mount, which covers a rule on the mount point itself."""
DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom"))
COVERED = ("/sys", "/mnt", "/tmp")  # noqa: S108 -- nothing is written there
"""The first of these is covered by the new root, in this namespace only: nothing that is bound may lie below it."""
PACKAGES = "/packages"
ROOT_OPTIONS = "size=1m,nr_inodes=4k,mode=755"
"""The root holds mount points and links only."""
READ_ONLY = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV


def build(places: list[Place], packages: list[str]) -> None:
    """Make the new root, fill it, go there, and let go of the old one."""
    linux.mount("none", "/", "", MS_REC | MS_PRIVATE)
    root = next(filter(os.path.isdir, COVERED))
    linux.mount("tmpfs", root, "tmpfs", MS_NOSUID | MS_NODEV, ROOT_OPTIONS)
    for place in places:
        _bind(root, place["path"], place["hidden"])
    for package in packages:
        _bind_package(package, f"{root}{PACKAGES}/{os.path.basename(package)}")
    for path in (*DEVICES, "/etc/ld.so.cache"):
        _bind_file(path, root + path)
    for link, target in _links():
        os.symlink(target, root + link)
    os.makedirs(root + BOX)
    os.symlink("home/student/tmp", os.path.join(root, "tmp"))
    _enter(root)


def _bind(root: str, path: str, hidden: list[str]) -> None:
    """Bind a folder read-only at its own path; cover those of its folders that must not be seen."""
    target = root + path
    with contextlib.suppress(FileExistsError):  # it may lie in a folder that is bound already
        os.makedirs(target)
    linux.mount(path, target, "", MS_BIND)
    linux.mount("none", target, "", READ_ONLY)
    for name in hidden:
        if os.path.isdir(f"{target}/{name}") and not os.path.islink(f"{target}/{name}"):
            linux.mount("tmpfs", f"{target}/{name}", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,nr_inodes=2")


def _bind_package(path: str, target: str) -> None:
    if os.path.isdir(path):
        os.makedirs(target)
        linux.mount(path, target, "", MS_BIND)
        linux.mount("none", target, "", READ_ONLY)
    else:
        _bind_file(path, target)


def _bind_file(path: str, target: str) -> None:
    """Bind one file; a device stays one, but for all that it can't be written over."""
    if os.path.exists(path):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
        linux.mount(path, target, "", MS_BIND)
        flags = MS_BIND | MS_REMOUNT | MS_NOSUID
        linux.mount("none", target, "", flags if path in DEVICES else flags | MS_RDONLY | MS_NODEV)


def _links() -> list[tuple[str, str]]:
    """Return the old root's links to library folders, such as /lib → usr/lib."""
    return [(name, os.readlink(name)) for name in ("/lib", "/lib64", "/lib32", "/bin") if os.path.islink(name)]


def _enter(root: str) -> None:
    os.chdir(root)
    os.mkdir("old")
    linux.pivot_root(".", "old")
    linux.unmount("old")
    os.rmdir("old")
    os.chdir("/")
    linux.mount("none", "/", "", READ_ONLY)
