"""Let so many gradings of one account run at once on a machine: each holds a slot, which is a locked file.

The kernel frees what a killed grader held. While a push waits it holds a lock without which bulk work takes no slot.
"""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_LOOK_S = 0.05
"""How often who waits looks for a free slot."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
_AWAITED = "awaited"


class Slots(NamedTuple):
    """The folder of the locked files, and how many gradings run at once."""

    folder: Path
    number: int

    @contextmanager
    def slot(self, *, is_bulk: bool = False, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold a slot; `waiting` is called once if that takes time. Bulk work waits for whoever watches."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with ExitStack() as held:
            if not is_bulk:
                held.enter_context(self._locked(_AWAITED, fcntl.LOCK_SH))
            taken = self._take(is_bulk=is_bulk)
            if taken is None:
                waiting()
            while taken is None:
                time.sleep(_LOOK_S)
                taken = self._take(is_bulk=is_bulk)
        try:
            yield
        finally:
            os.close(taken)

    @contextmanager
    def bulk(self, waiting: Callable[[], None] = lambda: None) -> Iterator[Callable[[], None]]:
        """Hold a slot for a long piece of work; the function returned lends it to a push that waits, if any."""
        with ExitStack() as held:
            held.enter_context(self.slot(is_bulk=True, waiting=waiting))

            def give_way() -> None:
                if self.is_awaited():
                    held.close()
                    held.enter_context(self.slot(is_bulk=True))

            yield give_way

    def is_awaited(self) -> bool:
        """Tell whether a push waits."""
        try:
            with self._locked(_AWAITED, fcntl.LOCK_EX | fcntl.LOCK_NB):
                return False
        except BlockingIOError:
            return True

    def _take(self, *, is_bulk: bool) -> int | None:
        if is_bulk and self.is_awaited():
            return None
        for each in range(self.number):
            descriptor = self._open(f"slot-{each}")
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
            else:
                return descriptor
        return None

    @contextmanager
    def _locked(self, name: str, how: int) -> Iterator[None]:
        descriptor = self._open(name)
        try:
            fcntl.flock(descriptor, how)
            yield
        finally:
            os.close(descriptor)

    def _open(self, name: str) -> int:
        return os.open(self.folder / name, _FLAGS, 0o600)
