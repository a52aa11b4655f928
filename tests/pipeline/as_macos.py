"""The grader's command line on a Python that has nothing of Linux's own: run it with a command's words."""

from __future__ import annotations

import fcntl
import os
import resource
import select
import shutil  # noqa: F401 - what the library itself looks up once
import signal
import socket
import subprocess  # noqa: F401 - as above
import sys
import sysconfig
import time
from typing import Any

LINUX_ONLY = {
    os: "sched_getaffinity sched_setaffinity pidfd_open memfd_create eventfd splice pipe2 getrandom"
    " copy_file_range posix_fadvise posix_fallocate fdatasync waitid getresuid O_PATH O_TMPFILE O_DIRECT O_NOATIME",
    select: "epoll",
    signal: "SIGRTMIN SIGRTMAX SIGSTKFLT SIGPWR SIGPOLL SIGCLD pidfd_send_signal sigtimedwait sigwaitinfo",
    resource: "prlimit RLIMIT_SIGPENDING RLIMIT_RTTIME RLIMIT_RTPRIO RLIMIT_NICE RLIMIT_MSGQUEUE RUSAGE_THREAD",
    time: "CLOCK_BOOTTIME CLOCK_TAI pthread_getcpuclockid",
    socket: "SO_PEERCRED SO_PASSCRED MSG_CMSG_CLOEXEC MSG_NOSIGNAL AF_NETLINK SOCK_CLOEXEC SOCK_NONBLOCK",
    fcntl: "F_SETPIPE_SZ F_GETPIPE_SZ F_ADD_SEALS F_NOTIFY F_SETSIG F_OFD_SETLK",
}


OF_A_PIDFD = "/proc/self/fdinfo/"
"""Only asked about what the zygote, a Python of Linux here, has sent."""


def no_proc(event: str, arguments: tuple[Any, ...]) -> None:
    path = str(arguments[0]) if event in {"open", "os.listdir", "os.scandir"} else ""
    if path.startswith(("/proc/", "/sys/")) and not path.startswith(OF_A_PIDFD):
        raise FileNotFoundError(2, "No such file or directory", arguments[0])


def stat_without_proc(path: Any, **options: Any) -> os.stat_result:
    no_proc("open", (path,))
    return _stat(path, **options)


_stat = os.stat


if __name__ == "__main__":
    sysconfig.get_config_vars()
    for module, names in LINUX_ONLY.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    sys.platform = "darwin"
    sys.addaudithook(no_proc)
    os.stat = stat_without_proc
    from grader.cli.main import main

    main()
