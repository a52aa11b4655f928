"""Proves a wall by trying to get over it: reads a file, calls a socket, starts a process, sends a signal.

The program below runs as an ordinary case. What it reaches is what a student would reach.
"""

from __future__ import annotations

import contextlib
import os
import socket
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.model.run import File, Limits, Program, RunRequest
from grader.model.verdict import Ending
from grader.sandbox.supervisor.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

LIMITS = Limits(cpu_s=5, wall_s=20, memory_mib=64, output_mib=1)


class Expected(NamedTuple):
    """What the cases to come have in common: the zygote that the wall is proved in will serve them."""

    watch: tuple[str, ...] = ()
    disk_mib: int = 1


PROGRAM = b"""\
import os, sys
from _socket import socket  # the module around it takes longer to load than all the rest
folder, port, pid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

def attempt(name, deed):
    try:
        deed()
    except OSError:
        return
    print(name)

def child():
    if os.fork() == 0:
        os._exit(0)

def call():
    peer = socket()
    peer.settimeout(1)
    peer.connect(("127.0.0.1", port))

attempt("file", lambda: open(folder + "/canary").read())
attempt("write", lambda: open(folder + "/new", "w"))
attempt("network", call)
attempt("process", child)
attempt("signal", lambda: os.kill(pid, 0))
print("end")
"""


def escapes(sandbox: Sandbox, expected: Expected | None = None) -> tuple[str, ...]:
    """Return the names of the attempts that got through; raise when the case itself fails."""
    watch, disk_mib = expected or Expected()
    with _bait() as (folder, port):
        how = Program(main="canary.py", argv=(folder, str(port), str(os.getpid())))
        limits = msgspec.structs.replace(LIMITS, disk_mib=disk_mib)
        files = (File(path="canary.py", content=PROGRAM),)
        record = sandbox.run(RunRequest(how=how, files=files, limits=limits, watch=watch))
    words = record.stdout.content().decode().split()
    if record.ending is not Ending.EXITED or words[-1:] != ["end"]:
        raise OSError(record.detail or f"the canary case ended as {record.ending}")
    return tuple(words[:-1])


@contextlib.contextmanager
def _bait() -> Iterator[tuple[str, int]]:
    """Lay out a file that anyone may read in a folder that anyone may write, and a socket that listens."""
    scratch = Scratch()
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            scratch.path.chmod(0o777)
            (scratch.path / "canary").write_text(os.urandom(16).hex())
            yield str(scratch.path), server.getsockname()[1]
    finally:
        scratch.remove()
