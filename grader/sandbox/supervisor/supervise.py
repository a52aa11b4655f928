"""Watches one case from its start to its end and takes down the facts."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from typing import TYPE_CHECKING

from grader.model.run import Program
from grader.model.verdict import Ending
from grader.sandbox.inside.loop.wire import NOT_SWEPT, WHERE
from grader.sandbox.protocol.dialogue import Dialogue
from grader.sandbox.protocol.record import Capture, End, Whereabouts, failed, record
from grader.sandbox.supervisor.usage import CpuClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.model.run import RunRecord, RunRequest
    from grader.model.verdict import Level
    from grader.sandbox.supervisor.usage import UsageWatch
    from grader.sandbox.supervisor.zygote import Ended, Zygote

MIB = 1 << 20
KIB_PER_MIB = 1024
STDERR_MIB = 1
"""Kept of stderr: thousands of lines of traceback. The rest is read and dropped, up to the output limit."""
PIECE = 1 << 16
"""A pipe's capacity on Linux: more never comes at once."""
PAYLOAD_S = 20.0
"""For the child to take its files: it does nothing else then."""
AFTER_KILL_S = 20.0
"""For the kernel to end a killed case, even on a machine at its limit."""
ANSWER_S = 0.2
"""For a case at its limit to say where it is: that takes a millisecond, a few more on a busy machine. Only a program
that blocks the signal, or whose answer has no end, keeps us so long."""
ASKED = frozenset({Ending.CPU_LIMIT, Ending.WALL_LIMIT, Ending.OUTPUT_LIMIT})
LISTEN_S = 0.05
"""After which the channel of a program that has done nothing else is listened to: a flood there ends at once."""
GLANCE_S = 0.02
"""Between two looks at disk and threads: a limit overshoots by what can be written in this time."""
STARVED_AT_MOST = 4.0
"""Times the wall limit: on a machine busier than that, a case is given up."""
OWN_WAITING = 0.8
"""Share of the wall limit from which on a program that neither ran nor waited for a core has only itself to blame."""
LONG = 0.5
"""Share of a time limit from which on a run counts as long."""
SHORTEST_S = 0.002
"""A sleep shorter than this would only burn the CPU that the case needs."""
CORES = os.cpu_count() or 1
"""A case's threads may burn CPU time this many times as fast as the clock goes."""


class Supervision:
    """One case under watch; `run` gathers the facts that its fields hold afterwards."""

    def __init__(self, request: RunRequest, usage: UsageWatch | None) -> None:
        self.limits = request.limits
        self.output_cap = int(self.limits.output_mib * MIB)
        self.stdout = Capture(self.output_cap)
        self.stderr = Capture(min(self.output_cap, STDERR_MIB * MIB))
        self.dialogue = Dialogue(request, send=self._send, size_limit=self.output_cap)
        self.limit: Ending | None = None
        self.stopped = False
        self._is_killed = False
        self._detail = ""
        self._waited = False
        self._was_long = False
        self.ended: Ended | None = None
        self._wall_s = 0.0
        self._stdin = memoryview(request.how.stdin if isinstance(request.how, Program) else b"")
        self._usage = usage
        self._request = request
        self._asked: Whereabouts | None = None
        self._channel_bytes = 0
        self._talks = not isinstance(request.how, Program)
        self._listening = False
        self._glance_due = 0.0
        self._handlers: dict[int, Callable[[], None]] = {}
        self._poll = select.poll()

    def run(self, zygote: Zygote, case: bytes) -> None:
        """Start the case, watch it, drain it. Everything opened here is closed here."""
        self._home = zygote.home.work
        child = zygote.take_child()
        self._pidfd = child.pidfd
        self._pipes = Pipes(child.channel)
        try:
            self._pipes.open()
            self._start(zygote, case)
            self._watch()
            self._drain()
        finally:
            self._pipes.close()
            os.close(self._pidfd)
        assert self.ended is not None
        self.dialogue.close(killed=self.stopped or os.WIFSIGNALED(self.ended.status))

    def _start(self, zygote: Zygote, case: bytes) -> None:
        self._began = time.monotonic()
        self._wall_due = self._began + self.limits.wall_s
        self._long_due = self._began + LONG * self.limits.wall_s
        self._cpu_due = self._began + self.limits.cpu_s / CORES
        pipes = self._pipes
        taken = pipes.hand_over(case)
        self._cpu = CpuClock(self._pidfd)
        if taken < len(case):
            self._send(case[taken:], PAYLOAD_S)
        self._attach(pipes.stdout, lambda: self._take(pipes.stdout, self.stdout))
        self._attach(pipes.stderr, lambda: self._take(pipes.stderr, self.stderr))
        self._attach(zygote.fileno(), lambda: self._take_end(zygote))
        self._feed()
        if self._talks:
            self._listen()

    def _listen(self) -> None:
        """Listen to the channel; for a program not before something else has happened, to spare it a wake-up."""
        if not self._listening:
            self._listening = True
            self._attach(self._pipes.channel.fileno(), self._hear)

    def _attach(self, fd: int, handler: Callable[[], None], events: int = select.POLLIN) -> None:
        self._handlers[fd] = handler
        self._poll.register(fd, events)

    def _detach(self, fd: int) -> None:
        if self._handlers.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def _send(self, data: bytes, patience_s: float | None = None) -> None:
        """Write to the child; one that no longer listens is seen at its end."""
        channel = self._pipes.channel
        channel.settimeout(patience_s or self.limits.tick_s or self.limits.wall_s)
        try:
            channel.sendall(data)
        except TimeoutError:
            self.stop(Ending.WALL_LIMIT, "the program doesn't take what it is sent")
        except OSError:
            pass
        finally:
            channel.setblocking(False)

    def _watch(self) -> None:
        """Serve whatever is ready until the zygote tells of the end."""
        while self.ended is None:
            due = self._due()
            for fd, _ in self._poll.poll(max(due - time.monotonic(), SHORTEST_S) * 1000):
                if fd in self._handlers:
                    self._handlers[fd]()
            if self.ended is None and (now := time.monotonic()) >= due:
                self._check(now)
            self._listen()
        self._wall_s = time.monotonic() - self._began

    def _due(self) -> float:
        """Return the time before which no limit can be reached; most cases end without a look at any clock."""
        if self.stopped:
            return self._kill_due
        due = [self._wall_due, self._cpu_due, self._wall_due if self._was_long else self._long_due]
        if self.limits.tick_s is not None and self.dialogue.tick_began is not None:
            due.append(self.dialogue.tick_began + self.limits.tick_s)
        if self._usage is not None:
            due.append(self._glance_due)
        if not self._listening:
            due.append(self._began + LISTEN_S)
        return min(due)

    def _check(self, now: float) -> None:
        """Compare with its limit whatever is due."""
        if self.stopped:
            if now >= self._kill_due and self._is_killed:
                raise TimeoutError("a killed case doesn't end")
            if now >= self._kill_due:
                self._kill()
            return
        if now >= self._cpu_due:
            self._check_cpu(now)
        if not self._was_long and now >= self._long_due:
            self._long_due = self._began + LONG * self.limits.wall_s + (self._cpu.starved_s() or 0.0)
            self._was_long = now > self._long_due
        if now >= self._wall_due:
            self._check_wall(now)
        limits, tick = self.limits, self.dialogue.tick_began
        if tick is not None and limits.tick_s is not None and now - tick > limits.tick_s:
            call = len(self.dialogue.replies) + 1
            self.stop(Ending.WALL_LIMIT, f"call {call} took longer than {limits.tick_s:g} s")
        if self._usage is not None and now >= self._glance_due:
            self._glance_due = now + GLANCE_S
            with contextlib.suppress(ProcessLookupError):  # it has ended
                excess = self._usage.excess(self._cpu.pid)
                if excess is not None:
                    self.stop(*excess)

    def _check_cpu(self, now: float) -> None:
        left = self.limits.cpu_s - self._cpu.seconds()
        self._cpu_due = now + left / CORES
        if left < 0:
            self.stop(Ending.CPU_LIMIT)

    def _check_wall(self, now: float) -> None:
        """Allow for the time that the machine's other work took: no program is blamed for that, within bounds."""
        wall_s, starved = self.limits.wall_s, self._cpu.starved_s()
        self._wall_due = self._began + wall_s + min(starved or 0.0, STARVED_AT_MOST * wall_s)
        if now > self._wall_due:
            idle = now - self._began - self._cpu.seconds() - (starved or 0.0)
            self._waited = starved is not None and idle > OWN_WAITING * wall_s
            self.stop(Ending.WALL_LIMIT)

    def stop(self, limit: Ending | None, detail: str = "") -> None:
        """Kill the case; the first reason is the one that counts."""
        if not self.stopped:
            self.stopped, self.limit, self._detail = True, limit, detail
            if limit in ASKED and self._ask():
                return
        self._kill()

    def _ask(self) -> bool:
        """Ask the case where it is, once; it is killed a moment later, whatever it answers."""
        channel = self._pipes.channel.fileno()
        self._listen()
        self._empty(channel)  # what it wrote before belongs to the dialogue
        if channel not in self._handlers:
            return False
        self._asked = Whereabouts(self._request, self._home)
        self._kill_due = time.monotonic() + ANSWER_S
        self._signal(WHERE)
        return True

    def _kill(self) -> None:
        self._is_killed = True
        self._kill_due = time.monotonic() + AFTER_KILL_S
        self._signal(signal.SIGKILL)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, number)

    def record(self, level: Level) -> RunRecord:
        """Return the record of the case, which has ended."""
        assert self.ended is not None
        if not self.dialogue.begun:
            return failed(self.dialogue.broken_set_up or "the process ended before the program began", level)
        code, cpu_s = os.waitstatus_to_exitcode(self.ended.status), self.ended.cpu_s
        limit = self.limit
        if code in {-signal.SIGKILL, -signal.SIGXCPU} and cpu_s > self.limits.cpu_s:
            limit = limit or Ending.CPU_LIMIT  # the kernel's backstop was first
        if limit is None and code == -signal.SIGKILL and not (self.stopped or self.dialogue.out_of_memory):
            return failed("the case was killed from outside; is the machine out of memory?", level)
        end = End(
            limit=limit,
            code=code,
            cpu_s=cpu_s,
            wall_s=self._wall_s,
            peak_mib=self.ended.peak_kib / KIB_PER_MIB,
            stopped_at=self._asked.places() if self._asked is not None else (),
            waited=self._waited,
            was_long=self._was_long or cpu_s > LONG * self.limits.cpu_s,
            detail=self._detail,
        )
        return record(self.dialogue, self.stdout, self.stderr, end, level)

    def _take(self, fd: int, capture: Capture) -> None:
        piece = _read(fd)
        if piece == b"":
            self._detach(fd)
        elif piece:
            capture.take(piece)
            if capture.seen > self.output_cap and not self.stopped:
                self.stop(Ending.OUTPUT_LIMIT)

    @property
    def left_nothing(self) -> bool:
        """Tell whether the zygote could clear up after the case."""
        return self.ended is not None and self.ended.swept != NOT_SWEPT

    def _take_end(self, zygote: Zygote) -> None:
        self.ended = zygote.ended()

    def _feed(self) -> None:
        """Write what stdin's pipe takes; then close it, so that the program sees the end of file."""
        try:
            while self._stdin:
                self._stdin = self._stdin[os.write(self._pipes.stdin, self._stdin[:PIECE]) :]
        except BlockingIOError:
            if self._pipes.stdin not in self._handlers:
                self._attach(self._pipes.stdin, self._feed, select.POLLOUT)
            return
        except OSError:  # the program has closed its stdin, or is gone
            pass
        self._detach(self._pipes.stdin)
        self._pipes.close_stdin()

    def _hear(self) -> None:
        fd = self._pipes.channel.fileno()
        piece = _read(fd)
        if piece is None:
            return
        if self._asked is not None:
            self._take_whereabouts(fd, piece, self._asked)
            return
        self._channel_bytes += len(piece)
        if not piece:
            self._detach(fd)
        elif self._channel_bytes > self.output_cap:
            self._detach(fd)
            self.stop(Ending.OUTPUT_LIMIT, "the values returned are larger than the output may be")
        elif not self.dialogue.hear(piece):
            self._detach(fd)
            self.stop(Ending.OUTPUT_LIMIT if self.dialogue.oversized else None)

    def _take_whereabouts(self, fd: int, piece: bytes, asked: Whereabouts) -> None:
        if not piece:
            self._detach(fd)
        if asked.hear(piece) and not self._is_killed:
            self._kill()

    def _drain(self) -> None:
        """Take what is still in the pipes; never wait for more."""
        for fd in (self._pipes.stdout, self._pipes.stderr, self._pipes.channel.fileno()):
            self._empty(fd)

    def _empty(self, fd: int) -> None:
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        while fd in self._handlers and poll.poll(0):
            self._handlers[fd]()


class Pipes:
    """Our ends of stdin, stdout, stderr and the channel, and the child's until it has them."""

    def __init__(self, channel: socket.socket) -> None:
        self.channel = channel
        self._open: set[int] = set()
        self.theirs: list[int] = []

    def open(self) -> None:
        """Make the pipes; whatever is open when one can't be made is closed by `close`."""
        self.stdin = self._pipe(to_child=True)
        self.stdout, self.stderr = self._pipe(), self._pipe()
        self.channel.setblocking(False)

    def _pipe(self, *, to_child: bool = False) -> int:
        """Make a pipe; keep our end, which never blocks."""
        reading, writing = os.pipe()
        ours, theirs = (writing, reading) if to_child else (reading, writing)
        self._open.add(ours)
        self.theirs.append(theirs)
        os.set_blocking(ours, False)
        return ours

    def hand_over(self, message: bytes) -> int:
        """Send the child its ends together with the message, of which it takes so many bytes at once."""
        try:
            return socket.send_fds(self.channel, [message], self.theirs)
        except (BrokenPipeError, ConnectionResetError):  # it couldn't be set up, and has said why
            return len(message)
        finally:
            self._close_theirs()

    def _close_theirs(self) -> None:
        while self.theirs:
            os.close(self.theirs.pop())

    def close_stdin(self) -> None:
        self._open.discard(self.stdin)
        os.close(self.stdin)

    def close(self) -> None:
        self._close_theirs()
        self.channel.close()
        for fd in self._open:
            os.close(fd)


def _read(fd: int) -> bytes | None:
    """Read a piece; empty at the end, None when there is nothing after all."""
    try:
        return os.read(fd, PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""
