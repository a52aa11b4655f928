"""The sandbox behind the seam: zygotes that it starts, replaces and closes."""

from __future__ import annotations

import contextlib
import errno
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from grader.model.verdict import Ending, Level
from grader.sandbox.protocol import payload
from grader.sandbox.protocol.record import failed
from grader.sandbox.supervisor import interpreter, shortage, users
from grader.sandbox.supervisor.supervise import Supervision
from grader.sandbox.supervisor.usage import UsageWatch
from grader.sandbox.supervisor.zygote import Zygote
from grader.sandbox.supervisor.zygote_folder import ZygoteFolder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.result import Isolation
    from grader.model.run import File, Limits, RunRecord, RunRequest
    from grader.sandbox.inside.plan import Enclosure, Plan

KEPT = 3
"""Zygotes of one sandbox: a batch has one set of watched modules and two of warm ones."""


_LIGHT = tuple(
    """
collections itertools functools operator heapq bisect math random copy re string typing types enum contextlib
traceback
""".split()  # noqa: SIM905 -- as in the filter: quoted words read worse
)
_HEAVY = tuple("argparse dataclasses datetime decimal fractions json queue statistics textwrap threading".split())  # noqa: SIM905
"""Modules that students' programs import most, kept warm. Each megabyte more costs every case about a fifth of a
millisecond at its fork and its end, so the heavier half is loaded only for programs that import some of it; what is
heavy and seldom, such as pathlib and tempfile, is left to be imported."""
_IMPORTS_HEAVY = re.compile(rf"^[ \t]*(?:from|import)\b[^\n#]*\b(?:{'|'.join(_HEAVY)})\b".encode(), re.MULTILINE)


class Flavour(NamedTuple):
    """What a zygote does once, or ahead, to spare every case."""

    watched: tuple[str, ...]
    """The modules that it has set its guards for."""
    warm: tuple[str, ...]
    disk_mib: int
    """How large each case's own file system is."""


class ForkingSandbox:
    """Runs each request in a child of a zygote. One at a time; not shared between threads."""

    def __init__(
        self,
        level: Level,
        isolation: Isolation,
        *,
        packages: tuple[str, ...] = (),
        watcher_source: str = "",
        warm: tuple[str, ...] | None = None,
    ) -> None:
        self.level = level
        self._isolation = isolation
        self._package_paths = interpreter.find_packages(packages)
        self._watcher_source = watcher_source
        self._warm = warm
        self._interpreter = interpreter.find()
        self._zygotes: dict[Flavour, Zygote] = {}
        self._ids = users.own_user(self._interpreter.library)

    @property
    def isolation(self) -> Isolation:
        return self._isolation

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; whatever fails on our side fails this case, and the next one gets a new zygote."""
        warm = _wanted(request.files) if self._warm is None else self._warm
        flavour = Flavour(request.watch, warm, request.limits.disk_mib)
        tasks = self._tasks(request)
        short = shortage.of_limits(request.limits, tasks=tasks)
        if short:
            return failed(short, self.level)
        try:
            zygote = self._ready(flavour)
            self._check_disk(zygote, request.limits)
            watch = Supervision(request, self._usage(zygote, request.limits))
            watch.run(zygote, payload.case(request, tasks=tasks))
            result = watch.record(self.level)
            is_sound = result.ending is not Ending.SANDBOX_FAILED and watch.left_nothing
        except Exception as error:  # noqa: BLE001 -- the seam promises a record, never an exception
            result, is_sound = failed(f"{type(error).__name__}: {error}", self.level), False
        if not is_sound:
            self._drop(flavour)
        return result

    def close(self) -> None:
        for flavour in tuple(self._zygotes):
            self._drop(flavour)

    def _drop(self, flavour: Flavour) -> None:
        zygote = self._zygotes.pop(flavour, None)  # another thread may close at the same time
        if zygote is not None:
            with contextlib.suppress(OSError):  # it is given up in any case
                zygote.close()
            zygote.home.remove()

    def _ready(self, flavour: Flavour) -> Zygote:
        zygote = self._zygotes.get(flavour)
        if zygote is None:
            for oldest in tuple(self._zygotes)[: 1 - KEPT]:
                self._drop(oldest)
            zygote = self._zygotes[flavour] = self._start(flavour)
        return zygote

    def _start(self, flavour: Flavour) -> Zygote:
        owner = self._ids["id"] if self._ids else None
        home = ZygoteFolder(self._interpreter, owner=owner, container=self.level is Level.ISOLATED)
        try:
            return Zygote(home, self._plan(flavour, home))
        except BaseException:
            home.remove()
            raise

    def _plan(self, flavour: Flavour, home: ZygoteFolder) -> Plan:
        return {
            "enclosure": self._enclosure(home),
            "warm": flavour.warm,
            "watch": flavour.watched,
            "watcher_source": self._watcher_source if flavour.watched else "",
            "disk_mib": flavour.disk_mib,
        }

    def _enclosure(self, home: ZygoteFolder) -> Enclosure:
        return {
            "level": self.level.value,
            "box": str(home.box),
            "home": home.work,
            "temporary": home.temporary,
            "ids": self._ids,
            "many_ids": home.container and users.has_range(),
            "places": [*interpreter.readable()],
            "readable": [] if home.container else interpreter.all_entries(),
            "packages": [str(path) for path in self._package_paths],
            "package_folders": home.add_packages(self._package_paths),
        }

    def _check_disk(self, zygote: Zygote, limits: Limits) -> None:
        """Raise where the disk that a case shares with the machine is all but full; in a container it has its own."""
        short = "" if self.level is Level.ISOLATED else shortage.of_disk(str(zygote.home.folder), limits)
        if short:
            raise OSError(errno.ENOSPC, short)

    def _usage(self, zygote: Zygote, limits: Limits) -> UsageWatch | None:
        """Return a watch on what a case uses; in a container the kernel bounds it."""
        return None if self.level is Level.ISOLATED else UsageWatch(str(zygote.home.box), limits)

    def _tasks(self, request: RunRequest) -> int | None:
        """Return the kernel's limit on tasks of the case's user; another user's count isn't ours to set."""
        counted = self._ids is not None or self.level is Level.ISOLATED
        return request.limits.threads + request.limits.processes + 1 if counted else None


def _wanted(files: Iterable[File]) -> tuple[str, ...]:
    """Name the modules to keep warm for a program of these files; a wrong guess costs time and nothing else."""
    is_heavy = any(file.path.endswith(".py") and _imports_heavy(file.content) for file in files)
    return _LIGHT + _HEAVY if is_heavy else _LIGHT


@lru_cache(maxsize=64)  # twice a window of submissions: it holds their sources
def _imports_heavy(source: bytes) -> bool:
    return _IMPORTS_HEAVY.search(source) is not None
