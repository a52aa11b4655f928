"""The sandbox behind the seam: a zygote that it starts, replaces and closes."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import GraderError
from grader.sandbox import interpreter, payload, record
from grader.sandbox.home import Home
from grader.sandbox.supervise import Watch
from grader.sandbox.zygote import Zygote

if TYPE_CHECKING:
    from grader.model.result import Isolation
    from grader.model.run import RunRecord, RunRequest
    from grader.model.verdict import Level

FIRST_ID = 0x70000000
"""Users for cases when we are root: a range that no distribution hands out."""
_serial = itertools.count()


class ForkingSandbox:
    """Runs each request in a child of a zygote. One at a time; not shared between threads."""

    def __init__(self, level: Level, isolation: Isolation) -> None:
        self.level = level
        self._isolation = isolation
        self._interpreter = interpreter.find()
        self._zygote: Zygote | None = None
        self._ids = _own_ids(self._interpreter.library)

    @property
    def isolation(self) -> Isolation:
        return self._isolation

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; whatever fails on our side fails this case, and the next one gets a new zygote."""
        try:
            zygote = self._ready()
            watch = Watch(request, self._disk_usage)
            watch.run(zygote, payload.case(request, tasks=self._tasks(request)))
            return record.record(watch, self.level)
        except Exception as error:  # noqa: BLE001 -- the seam promises a record, never an exception
            self.close()
            return record.failed(f"{type(error).__name__}: {error}", self.level)

    def close(self) -> None:
        if self._zygote is not None:
            self._zygote.close()
            self._zygote.home.remove()
            self._zygote = None

    def _ready(self) -> Zygote:
        if self._zygote is None:
            home = Home(self._interpreter, owner=self._ids["id"] if self._ids else None)
            try:
                self._zygote = Zygote(home, self._plan(home))
            except (OSError, GraderError):
                home.remove()
                raise
            home.forget_python()
        return self._zygote

    def _plan(self, home: Home) -> dict[str, Any]:
        return {
            "level": self.level.value,
            "box": str(home.box),
            "home": home.work,
            "temporary": home.temporary,
            "ids": self._ids,
            "warm": (),
        }

    def _disk_usage(self) -> int:
        """Give the bytes below the case's folder."""
        assert self._zygote is not None
        return _size_below(self._zygote.home.box)

    def _tasks(self, request: RunRequest) -> int | None:
        """Give the kernel's limit on tasks of the case's user; another user's count isn't ours to set."""
        return request.limits.threads + request.limits.processes + 1 if self._ids else None


def _own_ids(library: str) -> dict[str, Any] | None:
    """Give the user that a case becomes when we are root, another for each sandbox."""
    if os.getuid() != 0:
        return None
    number = FIRST_ID + (os.getpid() * 64 + next(_serial)) % (1 << 24)
    return {"id": number, "keep_reading": sys.platform == "linux" and not interpreter.readable_by_others(library)}


def _size_below(folder: Path) -> int:
    total = 0
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(Path(entry.path))
                    else:
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                    total += 512  # a name costs something too
        except OSError:
            continue
    return total
