"""The template process forks readers on demand; a reader takes one job after the other.

The template is forked from the grader before there are threads, with the kits loaded, and stays single-threaded: a
reader that died is replaced by a fork of it. What only readers need, both import while they have nothing to do; a job
that comes first imports it itself. Both hold no descriptor of the grader's but standard error and their
own socket, ignore Ctrl-C, and end when the grader does.
"""

from __future__ import annotations

import gc
import math
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, Any

from grader.model import wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import msgspec

    from grader.readers.job import Job

ORDER = struct.Struct("!cq")
FORK, REAP, REFUSED = b"f", b"r", b"e"
ASKED = struct.Struct("!HIIQ")
"""Number of the job, its seconds of processor time and on the clock, bytes that follow."""
ANSWERED = struct.Struct("!?Q")
"""Whether it is an answer (else a traceback), bytes that follow."""
OUT_OF_MEMORY = 77
"""Exit status of a reader whose job ran into the memory bound."""
_MEMORY = 1 << 30
"""Bytes that a reader may map beyond what it starts with: output is some ten MiB, and objects take 20 times that."""
_MOST_ANSWER = 64 << 20
"""Bytes of an answer: a drawing of the largest puzzle takes some 5 MiB."""
_MOST_TOLD = 64 << 10
_MOST_OPEN = 1 << 20
"""Descriptors that a process may have anywhere; where there is no limit, a system may name a number beyond all."""
_LONG_MS = 300
"""After a silence of this length the template imports what later readers will need; the first do so themselves."""


def serve(control: socket.socket, jobs: Sequence[Job[Any, Any]]) -> None:
    """Be the template until the grader goes away."""
    gc.freeze()  # nothing of the grader's is ever taken apart here: a connection to the book would write into it
    _settle(control)
    known = _Known([(job, wire.decoder(job.takes)) for job in jobs])
    readers: set[int] = set()
    try:
        while len(order := known.await_word(control, ORDER.size, silence_ms=_LONG_MS)) == ORDER.size:
            verb, pid = ORDER.unpack(order)
            if verb == FORK:
                _fork(control, known, readers)
            else:
                readers.discard(pid)
                control.sendall(ORDER.pack(REAP, _reap(pid)))
    finally:
        for pid in readers:
            _reap(pid)


class _Known:
    """The jobs, and the modules that they will need and that aren't imported yet, first those of the first job."""

    def __init__(self, jobs: Sequence[tuple[Job[Any, Any], msgspec.msgpack.Decoder[Any]]]) -> None:
        self.jobs = jobs
        self._needs = [*dict.fromkeys(name for job, _ in jobs for name in job.needs)]

    def await_word(self, peer: socket.socket, size: int, *, silence_ms: int = 0) -> bytes:
        """Return what comes next from the grader; once it is silent for so long, import what will be needed."""
        poll = select.poll()
        poll.register(peer, select.POLLIN)
        while self._needs and not poll.poll(silence_ms):
            import_module(self._needs.pop(0))
        return peer.recv(size, socket.MSG_WAITALL)


def _settle(control: socket.socket) -> None:
    """Let go of the grader: its descriptors, its terminal, its signals."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGXCPU, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM, signal.SIGXCPU})
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    nothing = os.open(os.devnull, os.O_RDWR)
    if not _is_open(2):
        os.dup2(nothing, 2)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a kit prints is for staff
    sys.stdout = sys.stderr
    kept = control.fileno()
    os.closerange(3, kept)
    os.closerange(kept + 1, min(os.sysconf("SC_OPEN_MAX"), _MOST_OPEN))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _fork(control: socket.socket, known: _Known, readers: set[int]) -> None:
    ours, theirs = socket.socketpair()
    gc.freeze()  # so that readers don't copy what they share
    try:
        pid = os.fork()
    except OSError as error:  # no more processes
        control.sendall(ORDER.pack(REFUSED, error.errno or 0))
        return
    if not pid:
        control.close()
        theirs.close()
        _run(lambda: _read(ours, known))
    readers.add(pid)
    ours.close()
    socket.send_fds(control, [ORDER.pack(FORK, pid)], [theirs.fileno()])
    theirs.close()


def _run(main: Callable[[], None]) -> None:
    """End the process after `main`, without the exits that the grader registered."""
    status = 1
    try:
        main()
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    except OSError:  # the grader is gone
        pass
    finally:
        os._exit(status)


def _reap(pid: int) -> int:
    os.kill(pid, signal.SIGKILL)  # it has ended already, unless the grader gives it up
    return os.waitpid(pid, 0)[1]


def _read(grader: socket.socket, known: _Known) -> None:
    """Be a reader: answer jobs until the grader goes away."""
    _bound_memory()
    while len(header := known.await_word(grader, ASKED.size)) == ASKED.size:
        number, cpu_s, wall_s, size = ASKED.unpack(header)
        argument = receive(grader, size)
        _bound_time(cpu_s, wall_s)
        is_answer, told = _answer(*known.jobs[int(number)], argument)
        grader.sendall(ANSWERED.pack(is_answer, len(told)))
        grader.sendall(told)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _bound_memory() -> None:
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - pathlib isn't imported for one line
            mapped = int(file.read().split()[0]) * resource.getpagesize()
    except OSError:  # another system, which wouldn't keep the bound either
        return
    _set_limit(resource.RLIMIT_AS, mapped + _MEMORY)


def _bound_time(cpu_s: int, wall_s: int) -> None:
    """Have the kernel end this process when the job takes longer; by processor time, so that load doesn't matter."""
    _set_limit(resource.RLIMIT_CPU, math.ceil(time.process_time()) + cpu_s)
    signal.setitimer(signal.ITIMER_REAL, wall_s)


def _set_limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _answer(job: Job[Any, Any], decoder: msgspec.msgpack.Decoder[Any], argument: bytearray) -> tuple[bool, bytes]:
    try:
        answer = wire.encode(job.run(decoder.decode(argument)))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a kit raises is told to the grader
        return False, traceback.format_exc().encode("utf-8", "replace")[-_MOST_TOLD:]
    if len(answer) > _MOST_ANSWER:
        return False, f"the answer has {len(answer)} bytes; at most {_MOST_ANSWER} are taken".encode()
    return True, answer


def receive(peer: socket.socket, size: int) -> bytearray:
    """Return exactly so many bytes; none when the peer ended before the first, EOFError when after it."""
    found = bytearray(size)
    view, at = memoryview(found), 0
    while at < size:
        count = peer.recv_into(view[at:])
        if not count:
            if at:
                raise EOFError
            return bytearray()
        at += count
    return found
