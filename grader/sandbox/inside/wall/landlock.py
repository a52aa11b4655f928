"""Builds the Landlock ruleset: which files a case may touch.

Built once per zygote; a case only restricts itself with it. A rule on a folder holds for what is mounted in it later.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import stat
import struct

from . import linux

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE, MAKE_CHAR, MAKE_DIR, MAKE_REG = (
    1 << bit for bit in range(9)
)
MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, REFER, TRUNCATE, IOCTL_DEV = (1 << bit for bit in range(9, 16))

READ = READ_FILE | READ_DIR | EXECUTE
"""EXECUTE is what mapping a shared library asks for on some kernels; execve itself is the filter's to refuse."""
DEVICE = READ_FILE | WRITE_FILE
OWN = READ_FILE | READ_DIR | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | MAKE_SYM | REFER | TRUNCATE
"""A case's own folder: files, folders and links, no devices, pipes or sockets."""
FILE_ONLY = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
"""The rights that a rule on a file, and not on a folder, may name."""

RIGHTS_OF_VERSION = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights on files each version of the ABI knows: REFER came with 2, TRUNCATE with 3, IOCTL_DEV with 5."""
TCP = 3
"""Bind and connect, since version 4."""
SCOPES = 3
"""Abstract sockets and signals, since version 6."""
ABOVE = 40
"""Number of the ruleset's descriptor at least, out of the way of a case's own."""


def build(version: int, *, readable: list[str], devices: list[str], own: str) -> int:
    """Return a ruleset's descriptor; what no rule grants is refused."""
    rights = (1 << RIGHTS_OF_VERSION.get(version, 16)) - 1
    size = 8 if version < 4 else 16 if version < 6 else 24
    attributes = struct.pack("=QQQ", rights, TCP, SCOPES)[:size]
    low = linux.landlock_create(attributes)
    for path in readable:
        _grant(low, path, READ & rights)
    for path in devices:
        _grant(low, path, DEVICE & rights)
    _grant(low, own, OWN & rights)
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    ruleset = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, ABOVE if allowed < 0 else min(ABOVE, allowed - 1))
    os.close(low)
    return ruleset


def _grant(ruleset: int, path: str, rights: int) -> None:
    """Grant rights below a path; one that isn't there needs none."""
    with contextlib.suppress(FileNotFoundError):
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= FILE_ONLY
        linux.landlock_add(ruleset, struct.pack("=Qi", rights, fd))
        os.close(fd)
