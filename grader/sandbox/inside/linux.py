"""Linux calls that Python 3.11 has no name for, by ctypes."""

from __future__ import annotations

import ctypes
import os
import platform
import struct

MACHINE = platform.machine()

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 36, 38
SIGKILL = 9
CAP_DAC_READ_SEARCH = 2
CAPABILITY_VERSION_3 = 0x20080522

_libc = ctypes.CDLL(None, use_errno=True)
_libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
_libc.syscall.restype = ctypes.c_long


def check(result: int, what: str) -> int:
    """Give the result, or raise OSError with the call's name."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int) -> None:
    check(_libc.prctl(option, value, 0, 0, 0), f"prctl({option})")


def set_capabilities(*kept: int) -> None:
    """Drop every capability but those named."""
    bits = sum(1 << capability for capability in kept)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    data = struct.pack("=6I", bits, bits, 0, 0, 0, 0)
    check(_libc.capset(header, data), "capset")


def die_with_parent() -> None:
    """Be killed when the parent ends. Changing the user clears it, so it comes after that."""
    prctl(PR_SET_PDEATHSIG, SIGKILL)
