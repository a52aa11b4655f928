"""Assembles the seccomp filter: which system calls a case may make.

Everything that isn't named here is refused with EPERM. Built once per zygote; a case only loads it.
"""

from __future__ import annotations

import ctypes
import struct
import sys

from . import linux
from .numbers import AUDIT_ARCH, CALLS

# Calls that act on the process itself, on its own descriptors, or on files (which Landlock and the mounts govern).
FREE = frozenset(
    """
read write readv writev pread64 pwrite64 preadv pwritev lseek close close_range dup dup2 dup3 pipe pipe2 creat
stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd
chdir fchdir umask statfs fstatfs mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
link linkat symlink symlinkat ftruncate fallocate fadvise64 fsync fdatasync flock sendfile copy_file_range
mmap mprotect munmap mremap madvise brk msync mincore membarrier
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause restart_syscall
alarm getitimer setitimer nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2
futex set_robust_list get_robust_list set_tid_address rseq arch_prctl gettid sched_yield getcpu
sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getpriority
getpid getppid getpgrp getpgid getsid getuid geteuid getgid getegid getgroups getresuid getresgid
uname sysinfo getrusage getrlimit getrandom wait4 waitid exit exit_group
sendto recvfrom shutdown getsockname getpeername getsockopt
""".split()  # noqa: SIM905 -- a list of a hundred quoted words reads worse
)

METADATA = frozenset({"chmod", "fchmod", "fchmodat", "utime", "utimes", "utimensat", "futimesat"})
"""Landlock doesn't govern these: a user's own files outside the box could be changed."""
XATTRS = ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr")
"""Answered as on a file system without extended attributes, which is what shutil.copy2 expects to meet."""

EPERM, ENOTTY, ENOSYS, EOPNOTSUPP = 1, 25, 38, 95
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCH = 0, 4
LOW = [16 + 8 * i for i in range(6)]
"""Where the low half of each argument stands in the data that the filter sees."""
X32 = 0x40000000
"""x86_64's second numbering of the same calls; refused as a whole."""
OWN_PID = 0x7EAD7EAD
"""Stands in the program for the case's own pid, which is known only in the case."""

O_ACCESS, O_TRUNC = 0o3, 0o1000
CLONE_THREAD = 0x10000
SOCK_TYPE, SOCK_STREAM, AF_UNIX = 0xF, 1, 1
TERMINAL_QUERIES = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451, 0x541B)
"""TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX, FIONREAD: what Python asks of a stream."""
SIGNALLING_FCNTL = (8, 10, 15, 1024, 1026)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_NOTIFY: each can send a signal to another process."""
PRCTL_NAMES = (15, 16, 0x53564D41)
"""PR_SET_NAME, PR_GET_NAME, PR_SET_VMA: names of threads and of memory, which the C library gives."""

Instruction = tuple[object, ...]


class Program:
    """A filter ready to load."""

    def __init__(self, code: bytes) -> None:
        self._code = ctypes.create_string_buffer(code, len(code))
        self._pid_at = [i for i in range(4, len(code), 8) if code[i : i + 4] == struct.pack("=I", OWN_PID)]
        header = struct.pack("@HP", len(code) // 8, ctypes.addressof(self._code))
        self._header = ctypes.create_string_buffer(header, len(header))

    def load(self, pid: int) -> None:
        """Load it for the process with this pid; there is no way back."""
        for place in self._pid_at:
            ctypes.memmove(ctypes.addressof(self._code) + place, pid.to_bytes(4, sys.byteorder), 4)
        linux.seccomp(self._header)


def build(*, metadata: bool, truncate: bool) -> Program:
    """Assemble the filter; `metadata` and `truncate` tell whether those writes are governed by something else."""
    calls = CALLS[linux.MACHINE]
    free = {*FREE, *(METADATA if metadata else ()), *(("truncate", "open", "openat") if truncate else ())}
    conditions = _conditions(truncate=truncate)
    instructions: list[Instruction] = [
        ("load", ARCH),
        ("equal", AUDIT_ARCH[linux.MACHINE], None, "foreign machine"),
        ("load", NUMBER),
    ]
    if linux.MACHINE == "x86_64":
        instructions += [("least", X32, "missing", None)]
    instructions += [("equal", calls[name], name, None) for name in conditions if name in calls]
    instructions += [("equal", calls[name], "unsupported", None) for name in XATTRS]
    instructions += _search(sorted(calls[name] for name in free if name in calls))
    for name, condition in conditions.items():
        if name in calls:
            instructions += [("label", name), *condition]
    return Program(_assemble([*instructions, *ENDS]))


ENDS: list[Instruction] = [
    ("label", "allow"),
    ("return", ALLOW),
    ("label", "deny"),
    ("return", ERRNO | EPERM),
    ("label", "missing"),
    ("return", ERRNO | ENOSYS),
    ("label", "no terminal"),
    ("return", ERRNO | ENOTTY),
    ("label", "unsupported"),
    ("return", ERRNO | EOPNOTSUPP),
    ("label", "foreign machine"),
    ("return", KILL),
]


def _conditions(*, truncate: bool) -> dict[str, list[Instruction]]:
    """Give the calls that hang on their arguments."""
    itself: list[Instruction] = [("load", LOW[0]), ("equal", OWN_PID, "allow", "deny")]
    conditions: dict[str, list[Instruction]] = {
        "clone": [("load", LOW[0]), ("any", CLONE_THREAD, "allow", "deny")],
        "clone3": [("jump", "missing")],  # its flags lie in memory; the C library falls back to clone
        "kill": itself,
        "tgkill": itself,
        "prlimit64": [("load", LOW[0]), ("equal", 0, "allow", "deny")],
        "setrlimit": [("jump", "allow")],
        "socketpair": [
            ("load", LOW[0]),
            ("equal", AF_UNIX, None, "deny"),
            ("load", LOW[1]),
            ("and", SOCK_TYPE),
            ("equal", SOCK_STREAM, "allow", "deny"),  # a datagram socket could send to any path
        ],
        "ioctl": [
            ("load", LOW[1]),
            *[("equal", query, "allow", None) for query in TERMINAL_QUERIES],
            ("jump", "no terminal"),
        ],
        "fcntl": [
            ("load", LOW[1]),
            *[("equal", command, "deny", None) for command in SIGNALLING_FCNTL],
            ("jump", "allow"),
        ],
        "prctl": [("load", LOW[0]), *[("equal", option, "allow", None) for option in PRCTL_NAMES], ("jump", "deny")],
    }
    if not truncate:  # before Landlock's ABI 3, O_RDONLY with O_TRUNC empties a file that may only be read
        for name, flags in (("open", LOW[1]), ("openat", LOW[2])):
            conditions[name] = [("load", flags), ("any", O_ACCESS, "allow", None), ("any", O_TRUNC, "deny", "allow")]
    return conditions


def _search(numbers: list[int]) -> list[Instruction]:
    """Give a binary search over ranges of numbers, so that a frequent call costs few steps."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return _halve(ranges)


def _halve(ranges: list[tuple[int, int]]) -> list[Instruction]:
    if len(ranges) == 1:
        first, last = ranges[0]
        return [("least", first, None, "deny"), ("above", last, "deny", "allow")]
    middle = len(ranges) // 2
    pivot = ranges[middle][0]
    upper = f"from {pivot}"
    return [("least", pivot, upper, None), *_halve(ranges[:middle]), ("label", upper), *_halve(ranges[middle:])]


_CODES = {
    "load": 0x20,
    "and": 0x54,
    "return": 0x06,
    "jump": 0x05,
    "equal": 0x15,
    "above": 0x25,
    "least": 0x35,
    "any": 0x45,
}


def _assemble(instructions: list[Instruction]) -> bytes:
    """Turn names of places into distances, and all into the kernel's eight bytes each."""
    places: dict[object, int] = {}
    real: list[Instruction] = []
    for instruction in instructions:
        if instruction[0] == "label":
            places[instruction[1]] = len(real)
        else:
            real.append(instruction)
    return b"".join(_encode(instruction, at, places) for at, instruction in enumerate(real))


def _encode(instruction: Instruction, at: int, places: dict[object, int]) -> bytes:
    kind, operand, *targets = instruction
    distances = [0 if target is None else places[target] - at - 1 for target in targets]
    if kind == "jump":
        return struct.pack("=HBBI", _CODES["jump"], 0, 0, places[operand] - at - 1)
    return struct.pack("=HBBI", _CODES[str(kind)], *(distances or (0, 0)), operand)
