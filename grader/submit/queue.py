"""A line for the machine's slots: whoever came first is graded first, and pushes before what staff grade in bulk.

A ticket is a file of ours whose name sorts as its owner's place in line, locked as long as its owner lives. Everybody
waits for the lock of the one before, which the kernel frees when that one leaves or dies, however it dies; only the
first in line looks for a free slot. A slot is such a lock, too.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import ExitStack, contextmanager, suppress
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_LOOK_S = 0.05
"""How often the first in line looks for a free slot."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Rank(IntEnum):
    """Who goes before whom."""

    LIVE = 0
    """Somebody watches: a push, one hand-in."""
    BULK = 1
    """Staff grade many: a collected class, a regrade."""


class Queue(NamedTuple):
    """The machine's line: its folder, and how many are graded at once."""

    folder: Path
    slots: int

    @contextmanager
    def slot(
        self, *, rank: Rank = Rank.LIVE, arrived_ns: int | None = None, waiting: Callable[[], None] = lambda: None
    ) -> Iterator[None]:
        """Hold a slot, when those before have theirs; `waiting` is called once if that takes time."""
        with self._ticket(rank, arrived_ns or time.time_ns()) as name:
            held = self._when_first(name, waiting)
        try:
            yield
        finally:
            os.close(held)

    def is_awaited(self) -> bool:
        """Tell whether somebody who watches stands in line."""
        return any(name.startswith(f"{Rank.LIVE:d}-") and self._is_alive(name) for name in self._names())

    def length(self) -> int:
        """Return how many stand in line."""
        return sum(map(self._is_alive, self._names()))

    @contextmanager
    def _ticket(self, rank: Rank, arrived_ns: int) -> Iterator[str]:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{rank:d}-{arrived_ns:020d}-{os.getpid()}-{os.urandom(4).hex()}"
        draft = self.folder / f".{name}"
        own = os.open(draft, _FLAGS | os.O_EXCL, 0o600)
        try:
            fcntl.flock(own, fcntl.LOCK_EX)  # before the name is seen: a ticket without a lock is a dead one's
            draft.rename(self.folder / name)
            yield name
        finally:
            with suppress(FileNotFoundError):
                (self.folder / name).unlink()
            os.close(own)

    def _when_first(self, name: str, waiting: Callable[[], None]) -> int:
        told = False
        while True:
            before = [other for other in self._names() if other < name and self._is_alive(other)]
            held = None if before else self._take()
            if held is not None:
                return held
            if not told:
                waiting()
                told = True
            if before:
                self._wait_for(before[-1])
            else:
                time.sleep(_LOOK_S)

    def _names(self) -> list[str]:
        try:
            return sorted(name for name in os.listdir(self.folder) if name[:2] in {"0-", "1-"})  # noqa: PTH208 -- names
        except FileNotFoundError:
            return []

    def _wait_for(self, name: str) -> None:
        with suppress(FileNotFoundError):
            other = os.open(self.folder / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(other, fcntl.LOCK_SH)
            finally:
                os.close(other)

    def _is_alive(self, name: str) -> bool:
        """Tell whether a ticket's owner lives; what a dead one left is taken away."""
        try:
            other = os.open(self.folder / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        else:
            with suppress(FileNotFoundError):
                (self.folder / name).unlink()
            return False
        finally:
            os.close(other)

    def _take(self) -> int | None:
        for number in range(self.slots):
            descriptor = os.open(self.folder / f"slot-{number}", _FLAGS, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                return descriptor
        return None


@contextmanager
def bulk(queue: Queue, waiting: Callable[[], None] = lambda: None) -> Iterator[Callable[[], None]]:
    """Hold a slot for a long piece of work; the function returned lends it to whoever watches and waits, if any."""
    with ExitStack() as held:
        held.enter_context(queue.slot(rank=Rank.BULK, waiting=waiting))

        def give_way() -> None:
            if queue.is_awaited():
                held.close()
                held.enter_context(queue.slot(rank=Rank.BULK))

        yield give_way
