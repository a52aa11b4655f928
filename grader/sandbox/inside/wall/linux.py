"""Linux calls that Python 3.11 has no name for, by ctypes."""

from __future__ import annotations

import ctypes
import os
import struct

from .numbers import CALLS

MACHINE = os.uname().machine

NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (1 << bit for bit in (17, 25, 26, 27, 28, 29, 30))
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
SECCOMP_SET_MODE_FILTER = 1

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 36, 38
SIGKILL = 9
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522
_CAPABILITY_HEADER = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
_NO_CAPABILITIES = bytes(24)

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_libc.mount.argtypes = [*[ctypes.c_char_p] * 3, ctypes.c_ulong, ctypes.c_char_p]
_libc.syscall.restype = ctypes.c_long


def check(result: int, *what: object) -> int:
    """Return the result, or raise OSError with the call's words; they are joined only then, for every page counts."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{' '.join(map(str, what))}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int) -> None:
    check(_libc.prctl(option, value, 0, 0, 0), "prctl", option)


def set_capabilities(*kept: int) -> None:
    """Drop every capability but those named."""
    data = _NO_CAPABILITIES
    if kept:
        bits = sum(1 << capability for capability in kept)
        data = struct.pack("=6I", bits, bits, 0, 0, 0, 0)
    check(_libc.capset(_CAPABILITY_HEADER, data), "capset")


def die_with_parent() -> None:
    """Be killed when the parent ends. Changing the user clears it, so it comes after that."""
    prctl(PR_SET_PDEATHSIG, SIGKILL)


def unshare(flags: int) -> None:
    check(_libc.unshare(flags), "unshare", flags)


def set_namespace(fd: int, kind: int) -> None:
    check(_libc.setns(fd, kind), "setns")


def mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    """Mount; an empty kind is for binds and remounts."""
    arguments = [os.fsencode(text) if text else None for text in (source, target, kind)]
    check(_libc.mount(*arguments, flags, data.encode() or None), "mount", target)


def unmount(target: str) -> None:
    check(_libc.umount2(os.fsencode(target), MNT_DETACH), "umount", target)


def pivot_root(root: str, old: str) -> None:
    _call("pivot_root", ctypes.c_char_p(root.encode()), ctypes.c_char_p(old.encode()))


def set_hostname(name: bytes) -> None:
    check(_libc.sethostname(name, len(name)), "sethostname")


def seccomp(program: ctypes.Array[ctypes.c_char]) -> None:
    """Load a filter on every thread of this process; it has one."""
    _call("seccomp", SECCOMP_SET_MODE_FILTER, 0, ctypes.byref(program))


def landlock_version() -> int:
    """Return Landlock's ABI version, 0 where there is none."""
    number = CALLS[MACHINE]["landlock_create_ruleset"]
    return max(0, int(_libc.syscall(number, None, ctypes.c_size_t(0), 1)))


def landlock_create(attributes: bytes) -> int:
    return _call("landlock_create_ruleset", ctypes.c_char_p(attributes), ctypes.c_size_t(len(attributes)), 0)


def landlock_add(ruleset: int, rule: bytes) -> None:
    _call("landlock_add_rule", ruleset, 1, ctypes.c_char_p(rule), 0)


def landlock_restrict(ruleset: int) -> None:
    _call("landlock_restrict_self", ruleset, 0)


def _call(name: str, *arguments: object) -> int:
    """Make a call for which the C library has no function."""
    return check(int(_libc.syscall(CALLS[MACHINE][name], *arguments)), name)
