"""The strongest wall: a container per zygote, and in it namespaces of its own for each case.

Order matters. Once: mounts (as root before the user namespace, which couldn't read root's folders), namespaces, the
first process. Per case, before it is known: namespaces and its own tmpfs; its user; a user namespace of its own; no
capabilities; no new rights; Landlock. Then limits (in the new user namespace, where tasks are counted afresh) and the
filter.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from . import (
    container,
    filter,  # noqa: A004 -- the kernel's word for it
    landlock,
    linux,
    rlimits,
)
from .linux import MS_NODEV, MS_NOSUID, NEWCGROUP, NEWIPC, NEWNET, NEWNS, NEWPID, NEWUSER, NEWUTS

if TYPE_CHECKING:
    import _socket

    from ..plan import Case, Enclosure

CASE_ID = 1000
"""The case's user in a container whose users are mapped to a range of their own."""
INODES = 1000
"""Files and folders of one case: more than any assignment's, few enough to bound the kernel's memory."""
OTHERS = NEWNET | NEWIPC | NEWUTS | NEWCGROUP | NEWPID | NEWUSER


class Isolated:
    def __init__(self, enclosure: Enclosure) -> None:
        self._places = enclosure["places"]
        self._packages = enclosure["packages"]
        self._many_ids = enclosure["many_ids"]

    def prepare(self, control: _socket.socket) -> None:
        """Once per zygote: build the container and become its first process."""
        if self._many_ids:
            linux.unshare(NEWNS)
            container.build(self._places, self._packages)
            linux.unshare(OTHERS)
        else:
            uid, gid = os.getuid(), os.getgid()
            linux.unshare(OTHERS | NEWNS)
            _map_itself(uid, gid)
            container.build(self._places, self._packages)
        self._become_first(control)
        self._ruleset = self._build_ruleset()
        self._program = filter.build(metadata=True, truncate=True)
        self._namespace = os.pidfd_open(os.getpid())

    def _become_first(self, control: _socket.socket) -> None:
        """Fork into the new pid namespace; the process outside only waits."""
        pid = os.fork()
        if pid:
            control.close()
            _, status = os.waitpid(pid, 0)
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        linux.die_with_parent()
        linux.set_hostname(b"sandbox")

    def _build_ruleset(self) -> int | None:
        version = linux.landlock_version()
        if not version:
            return None
        readable = [*(place["path"] for place in self._places), "/etc/ld.so.cache", container.PACKAGES]
        return landlock.build(version, readable=readable, devices=list(container.DEVICES), own=container.OWN)

    def furnish(self, disk_mib: int) -> None:
        """Once per zygote, when its users are mapped and its cases known: each has a file system so large."""
        if self._many_ids:
            os.setresgid(0, 0, 0)
            os.setresuid(0, 0, 0)
            linux.die_with_parent()  # to change the user had ended this
        self._options = f"size={disk_mib}m,nr_inodes={INODES},mode=777"

    def fork(self) -> int:
        """Fork a case as the first process of a pid namespace of its own."""
        linux.unshare(NEWPID)
        pid = os.fork()
        if pid:
            linux.set_namespace(self._namespace, NEWPID)
        return pid

    def approach(self, _zygote: int) -> None:
        """Once per case, in its process, before anything is known of it: no other case can name or reach it."""
        linux.unshare(NEWNS | NEWIPC)
        linux.mount("tmpfs", container.BOX, "tmpfs", MS_NOSUID | MS_NODEV, self._options)
        if self._many_ids:
            os.setgroups([])
            os.setresgid(CASE_ID, CASE_ID, CASE_ID)
            os.setresuid(CASE_ID, CASE_ID, CASE_ID)
        linux.unshare(NEWUSER)
        linux.set_capabilities()
        linux.prctl(linux.PR_SET_DUMPABLE, 0)
        linux.die_with_parent()
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        if self._ruleset is not None:
            linux.landlock_restrict(self._ruleset)
            os.close(self._ruleset)

    def enclose(self, case: Case) -> None:
        """Once per case, in its process, when it has come: what is left."""
        rlimits.apply(case["limits"])
        self._program.load(os.getpid())

    def clear(self, _pid: int, _waiting: int) -> int:
        """Leave it to the kernel: with its first process, a case's namespaces, mounts and files are gone."""
        return 0

    def leave(self) -> None:
        """Leave nothing: the zygote is the first process of its container."""


def _map_itself(uid: int, gid: int) -> None:
    """Map root of the container to ourselves, the one mapping that needs no rights."""
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
