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
read write readv writev pread64 pwrite64 preadv pwritev lseek dup pipe pipe2 creat
stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd
chdir fchdir umask statfs fstatfs mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2
link linkat symlink symlinkat ftruncate fallocate fadvise64 fsync fdatasync sendfile copy_file_range
mmap mprotect munmap mremap madvise brk msync mincore membarrier
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack pause restart_syscall
alarm getitimer setitimer nanosleep gettimeofday time times
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd eventfd2
set_robust_list rseq arch_prctl gettid sched_yield getcpu sched_get_priority_max sched_get_priority_min
getpid getppid getpgrp getuid geteuid getgid getegid getgroups getresuid getresgid
uname sysinfo getrusage getrlimit getrandom wait4 waitid exit exit_group
getsockname getpeername
""".split()  # noqa: SIM905 -- a list of a hundred quoted words reads worse
)

METADATA = frozenset({"chmod", "fchmod", "fchmodat", "utime", "utimes", "utimensat", "futimesat"})
"""Landlock doesn't govern these: a user's own files outside the box could be changed."""
XATTRS = ("getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr", "flistxattr")
"""Answered as on a file system without extended attributes, which is what shutil.copy2 expects to meet."""

EPERM, EBADF, ENOTTY, ENOSYS, EOPNOTSUPP = 1, 9, 25, 38, 95
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCH = 0, 4
LOW = [16 + 8 * i for i in range(6)]
"""Where the low half of each argument stands in the data that the filter sees."""
X32 = 0x40000000
"""x86_64's second numbering of the same calls; refused as a whole."""
OWN_PID = 0x7EAD7EAD
"""Stands in the program for the case's own pid, which is known only in the case."""

CHANNEL = 3
"""Stays open, so that what is to be told is told; to the program it seems closed, as it is at home."""
HIGH = 4
"""From the low half of an argument to its high half."""
SIGKILL, RLIMIT_CPU = 9, 0
"""A case can't kill itself by either, so that a kill that isn't ours came from outside."""
O_ACCESS, O_TRUNC = 0o3, 0o1000
CLONE_THREAD = 0x10000
SOCK_TYPE, SOCK_STREAM, AF_UNIX = 0xF, 1, 1
TERMINAL_QUERIES = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451, 0x541B)
"""TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX, FIONREAD: what Python asks of a stream."""
FCNTL = (0, 1, 2, 3, 4, 6, 7, 37, 38, 1030, 1031, 1032)
"""Copies and flags of a descriptor, locks (which sqlite3 takes), the size of a pipe. Others can send a signal to
another process, or ask for its locks on a file that both may read."""
SOL_SOCKET, SOCKET_FACTS = 1, (3, 4, 7, 8, 38, 39)
"""SO_TYPE, SO_ERROR, SO_SNDBUF, SO_RCVBUF, SO_PROTOCOL, SO_DOMAIN; others tell of the process at the other end."""
MSG_OOB = 1
FUTEX_PRIVATE, FUTEX_KIND, FUTEX_WAITS = 0x80, 0x7F, (0, 9)
"""A futex that isn't private may lie in a file that two cases map. Waiting there is what joining a thread does; to
wake and to count who waits would be a way to talk."""
PROCESS_CLOCK = 0x80000000
"""Clocks from here on are those of a process or thread by its number, any process's."""
OF_A_PROCESS = ("getpgid", "getsid", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "get_robust_list")
"""Each tells of the process in its first argument."""
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
    instructions += [("jump", "free")]
    for name, condition in conditions.items():
        if name in calls:
            instructions += [("label", name), *condition]
    instructions += [*ENDS, ("label", "free"), *_search(sorted(calls[name] for name in free if name in calls)), *ENDS]
    return Program(_assemble(instructions))


_ANSWERS = {
    "allow": ALLOW,
    "deny": ERRNO | EPERM,
    "closed": ERRNO | EBADF,
    "missing": ERRNO | ENOSYS,
    "no terminal": ERRNO | ENOTTY,
    "unsupported": ERRNO | EOPNOTSUPP,
    "foreign machine": KILL,
}
ENDS: list[Instruction] = [part for name, code in _ANSWERS.items() for part in (("label", name), ("return", code))]


def _one_of(values: tuple[int, ...], otherwise: str = "deny") -> list[Instruction]:
    return [*[("equal", value, "allow", None) for value in values], ("jump", otherwise)]


def _conditions(*, truncate: bool) -> dict[str, list[Instruction]]:
    """Return the calls that hang on their arguments."""
    itself: list[Instruction] = [("load", LOW[0]), ("equal", OWN_PID, None, "deny")]
    unless_channel: list[Instruction] = [("equal", CHANNEL, "closed", "allow")]
    itself_or_zero: list[Instruction] = [("equal", 0, "allow", None), ("equal", OWN_PID, "allow", "deny")]
    conditions: dict[str, list[Instruction]] = {
        "clone": [("load", LOW[0]), ("any", CLONE_THREAD, "allow", "deny")],
        "clone3": [("jump", "missing")],  # its flags lie in memory; the C library falls back to clone
        "kill": [*itself, ("load", LOW[1]), ("equal", SIGKILL, "deny", "allow")],
        "tgkill": [*itself, ("load", LOW[2]), ("equal", SIGKILL, "deny", "allow")],
        "prlimit64": [
            ("load", LOW[0]),
            ("equal", 0, None, "deny"),
            ("load", LOW[1]),
            ("equal", RLIMIT_CPU, None, "allow"),
            ("load", LOW[2]),
            ("equal", 0, None, "deny"),
            ("load", LOW[2] + HIGH),
            ("equal", 0, "allow", "deny"),  # no new limit: it only asks
        ],
        "setrlimit": [("load", LOW[0]), ("equal", RLIMIT_CPU, "deny", "allow")],
        "socketpair": [
            ("load", LOW[0]),
            ("equal", AF_UNIX, None, "deny"),
            ("load", LOW[1]),
            ("and", SOCK_TYPE),
            ("equal", SOCK_STREAM, "allow", "deny"),  # a datagram socket could send to any path
        ],
        "ioctl": [("load", LOW[1]), *_one_of(TERMINAL_QUERIES, "no terminal")],
        "fcntl": [("load", LOW[1]), *_one_of(FCNTL)],
        "close": [("load", LOW[0]), *unless_channel],
        "dup2": [("load", LOW[1]), *unless_channel],
        "dup3": [("load", LOW[1]), *unless_channel],
        "close_range": [("load", LOW[0]), ("above", CHANNEL, "allow", "missing")],  # then each is closed alone
        "flock": [("jump", "unsupported")],  # two cases could lock one file of the library
        "getsockopt": [
            ("load", LOW[1]),
            ("equal", SOL_SOCKET, None, "deny"),
            ("load", LOW[2]),
            *_one_of(SOCKET_FACTS),
        ],
        "futex": [
            ("load", LOW[1]),
            ("any", FUTEX_PRIVATE, "allow", None),
            ("and", FUTEX_KIND),
            *_one_of(FUTEX_WAITS),
        ],
        "getpriority": [("load", LOW[0]), ("equal", 0, None, "deny"), ("load", LOW[1]), *itself_or_zero],
        **{name: [("load", LOW[0]), *itself_or_zero] for name in OF_A_PROCESS},
        **{name: [("load", LOW[3]), ("any", MSG_OOB, "deny", "allow")] for name in ("sendto", "recvfrom")},
        **{
            name: [("load", LOW[0]), ("least", PROCESS_CLOCK, "deny", "allow")]
            for name in ("clock_gettime", "clock_getres", "clock_nanosleep")
        },
        "prctl": [("load", LOW[0]), *_one_of(PRCTL_NAMES)],
    }
    if not truncate:  # before Landlock's ABI 3, O_RDONLY with O_TRUNC empties a file that may only be read
        for name, flags in (("open", LOW[1]), ("openat", LOW[2])):
            conditions[name] = [("load", flags), ("any", O_ACCESS, "allow", None), ("any", O_TRUNC, "deny", "allow")]
    return conditions


def _search(numbers: list[int]) -> list[Instruction]:
    """Return a binary search over ranges of numbers, so that a frequent call costs few steps."""
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
    """Turn names of places into distances, and all into the kernel's eight bytes each.

    A jump goes to the next place of its name: only forward, and if it hangs on a condition no farther than 255.
    """
    places: dict[object, list[int]] = {}
    real: list[Instruction] = []
    for instruction in instructions:
        if instruction[0] == "label":
            places.setdefault(instruction[1], []).append(len(real))
        else:
            real.append(instruction)
    return b"".join(_encode(instruction, at, places) for at, instruction in enumerate(real))


def _encode(instruction: Instruction, at: int, places: dict[object, list[int]]) -> bytes:
    kind, operand, *targets = instruction

    def distance(target: object) -> int:
        return next(place for place in places[target] if place > at) - at - 1

    distances = [0 if target is None else distance(target) for target in targets]
    if kind == "jump":
        return struct.pack("=HBBI", _CODES["jump"], 0, 0, distance(operand))
    return struct.pack("=HBBI", _CODES[str(kind)], *(distances or (0, 0)), operand)
