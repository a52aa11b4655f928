"""Hands errands to readers and takes their answers, a bounded number at a time.

What waits for an answer stays with the grader: a reader (template.py) that dies takes nothing along, and is replaced.
"""

from __future__ import annotations

import fcntl
import os
import selectors
import signal
import socket
import traceback
import warnings
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from grader.errors import SandboxError
from grader.model import wire
from grader.readers.job import Cause, Failed
from grader.readers.template import ANSWERED, ASKED, FORK, ORDER, OUT_OF_MEMORY, REAP, receive, serve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.readers.job import Call, Errand, Job

K = TypeVar("K")
R = TypeVar("R")

_AHEAD = 2  # errands per reader, so that none waits for the grader
_SOON_S = 0.05  # what a reader's start and imports take: a job that has waited so long gets one more
_CAUSES: dict[int, Cause] = {signal.SIGXCPU: Cause.CPU, signal.SIGALRM: Cause.WALL}
_CHANCE = frozenset({Cause.MEMORY, Cause.CRASH})
"""What an earlier job of the same reader may have caused: such a job is tried once more in a fresh one."""


class Results(Generic[K, R]):
    """Results of errands, as they come; several streams share the readers."""

    def __init__(self, readers: Readers, errands: Iterable[tuple[K, Errand[R]]]) -> None:
        self._readers = readers
        self._errands = iter(errands)
        self._inside = 0
        self._ready: deque[tuple[K, R]] = deque()
        self._is_drawn = False

    def __iter__(self) -> Iterator[tuple[K, R]]:
        return self

    def __next__(self) -> tuple[K, R]:
        while True:
            self._readers.step(wait=False)
            if self._ready:
                return self._ready.popleft()
            if self._draw() or self._ready:  # while errands were drawn, others may have come back
                continue
            if not self._inside:
                raise StopIteration
            self._readers.step(wait=True)

    def waiting(self) -> bool:
        """Draw what there is room for, wait for nothing; tell whether `next` would have to wait."""
        while self._draw():
            pass
        self._readers.step(wait=False)
        return not self._ready and self._inside > 0

    def _draw(self) -> bool:
        """Begin one more errand, if there is room and there is one."""
        if self._is_drawn or self._inside >= self._readers.count * _AHEAD:
            return False
        drawn = next(self._errands, None)
        if drawn is None:
            self._is_drawn = True
            return False
        self._inside += 1
        self.go_on(_Task(self, *drawn), None)
        return True

    def go_on(self, task: _Task, answer: Any) -> None:
        """Tell an errand its answer and hand on what it asks next, or keep its result."""
        try:
            call = task.errand.send(answer)
        except StopIteration as end:
            self._inside -= 1
            self._ready.append((task.key, end.value))
        else:
            self._readers.take(task, call)


class _Task:
    """An errand on its way, with the call that it waits for."""

    def __init__(self, owner: Results[Any, Any], key: Any, errand: Errand[Any]) -> None:
        self.owner = owner
        self.key = key
        self.errand = errand
        self.call: Call
        self.message = b""
        self.due = 0.0
        self.is_again = False


class _Reader:
    """One process, seen from here."""

    def __init__(self, pid: int, peer: socket.socket) -> None:
        self.pid = pid
        self.peer = peer
        self.task: _Task | None = None
        self.done = 0


class Readers:
    """A pool of `count` processes for these jobs; fork it before threads start, close it after use."""

    def __init__(self, jobs: Sequence[Job[Any, Any]], *, count: int) -> None:
        self.count = count
        self._numbers = {job: number for number, job in enumerate(jobs)}
        self._decoders = [wire.decoder(job.gives) for job in jobs]
        self._control, control = map(_above_streams, socket.socketpair())
        self._template = _fork_template(self._control, control, jobs)
        control.close()
        self._control.sendall(ORDER.pack(FORK, 0))  # the first reader is there when it is needed
        self._is_ordered = True
        self._selector = selectors.DefaultSelector()
        self._readers: set[_Reader] = set()
        self._idle: list[_Reader] = []
        self._tasks: deque[_Task] = deque()

    def map(self, errands: Iterable[tuple[K, Errand[R]]]) -> Results[K, R]:
        """Yield each errand's result as it comes, with its key; draws errands lazily."""
        return Results(self, errands)

    def ask(self, errand: Errand[R]) -> R:
        """Return the result of one errand."""
        [(_, result)] = self.map([(None, errand)])
        return result

    def dismiss(self) -> None:
        """Have every process end, and wait for none; what they were doing is lost."""
        self._selector.close()
        self._control.close()  # the template ends the readers, and itself
        for reader in self._readers:
            reader.peer.close()
        self._readers.clear()

    def close(self) -> None:
        """End every process."""
        self.dismiss()
        if self._template:
            os.waitpid(self._template, 0)
            self._template = 0

    def take(self, task: _Task, call: Call) -> None:
        """Take what an errand asks; what can't be sent has failed already."""
        job, argument = task.call = call
        try:
            data = wire.encode(argument)
        except (OverflowError, RecursionError, TypeError, ValueError):
            task.owner.go_on(task, Failed(Cause.RAISED, traceback.format_exc()))
            return
        task.message = ASKED.pack(self._numbers[job], *job.bounds(len(data)), len(data)) + data
        task.due = monotonic() + _SOON_S
        task.is_again = False
        self._tasks.append(task)

    def step(self, *, wait: bool) -> None:
        """Hand out what there is, and take the answers that are there; `wait` for one, or for one more reader."""
        self._hand_out()
        for key, _ in self._selector.select(self._patience() if wait else 0):
            self._hear(key.data)
        self._hand_out()

    def _hand_out(self) -> None:
        while self._tasks and (self._idle or self._patience() == 0):
            self._give(self._idle.pop() if self._idle else self._start(), self._tasks.popleft())

    def _patience(self) -> float | None:
        """Return the seconds after which the next job is worth one more reader; None when it gets none."""
        if not self._tasks or len(self._readers) == self.count:
            return None
        return max(self._tasks[0].due - monotonic(), 0) if self._readers else 0

    def _give(self, reader: _Reader, task: _Task) -> None:
        reader.task = task
        try:
            reader.peer.sendall(task.message)
        except OSError:  # it died meanwhile; `_hear` will find out
            return

    def _hear(self, reader: _Reader) -> None:
        try:
            header = receive(reader.peer, ANSWERED.size)
            is_answer, size = ANSWERED.unpack(header) if header else (None, 0)
            data = receive(reader.peer, size)
        except (OSError, EOFError):
            is_answer, data = None, bytearray()
        if is_answer is None:
            self._bury(reader)
            return
        task, reader.task = reader.task, None
        reader.done += 1
        self._idle.append(reader)
        if task is not None:
            task.owner.go_on(task, self._understood(task, data) if is_answer else _raised(data))

    def _understood(self, task: _Task, data: bytearray) -> Any:
        try:
            return self._decoders[self._numbers[task.call[0]]].decode(data)
        except ValueError:  # also what isn't of the type
            return Failed(Cause.RAISED, traceback.format_exc())

    def _bury(self, reader: _Reader) -> None:
        """Find out why a reader ended; its job is tried again where another job may be to blame."""
        self._selector.unregister(reader.peer)
        reader.peer.close()
        self._readers.discard(reader)
        if reader in self._idle:
            self._idle.remove(reader)
        failed = _fate(self._order(REAP, reader.pid)[1])
        task = reader.task
        if task is None:
            return
        if failed.cause in _CHANCE and reader.done and not task.is_again:
            task.is_again = True
            self._give(self._start(), task)
        else:
            task.owner.go_on(task, failed)

    def _start(self) -> _Reader:
        answer, pid, *descriptors = self._answered() if self._is_ordered else self._order(FORK, 0)
        self._is_ordered = False
        if answer != FORK:
            raise SandboxError(
                f"no process could be started to read what was handed in: {os.strerror(pid)}",
                hint="let this user have more processes (ulimit -u), or grade with fewer at once (-j)",
            )
        reader = _Reader(pid, socket.socket(fileno=descriptors[0]))
        self._selector.register(reader.peer, selectors.EVENT_READ, reader)
        self._readers.add(reader)
        return reader

    def _order(self, verb: bytes, pid: int) -> tuple[Any, ...]:
        self._control.sendall(ORDER.pack(verb, pid))
        return self._answered()

    def _answered(self) -> tuple[Any, ...]:
        answer, descriptors, *_ = socket.recv_fds(self._control, ORDER.size, 1)
        if len(answer) < ORDER.size:
            raise SandboxError("the process that starts the readers has ended", hint="start the same command again")
        return (*ORDER.unpack(answer), *descriptors)


def _fork_template(ours: socket.socket, theirs: socket.socket, jobs: Sequence[Job[Any, Any]]) -> int:
    with warnings.catch_warnings():
        # Threads of a host (pytest-xdist, a lease that is renewed) hold no lock that a job takes.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        ours.close()
        serve(theirs, jobs)
        status = 0
    except OSError:  # the grader is gone
        pass
    finally:
        os._exit(status)


def _above_streams(peer: socket.socket) -> socket.socket:
    """Move a socket away from the numbers of standard streams, which may be closed."""
    with peer:
        return socket.socket(fileno=fcntl.fcntl(peer, fcntl.F_DUPFD_CLOEXEC, 3))


def _raised(data: bytearray) -> Failed:
    return Failed(Cause.RAISED, data.decode("utf-8", "replace"))


def _fate(status: int) -> Failed:
    """Read how a process ended."""
    if os.WIFEXITED(status):
        code = os.WEXITSTATUS(status)
        return Failed(Cause.MEMORY, "out of memory") if code == OUT_OF_MEMORY else Failed(Cause.CRASH, f"exit {code}")
    number = os.WTERMSIG(status)
    return Failed(_CAUSES.get(number, Cause.CRASH), signal.strsignal(number) or f"signal {number}")
