"""The sandbox behind the seam: zygotes that it starts, replaces and closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from grader.errors import GraderError
from grader.model.verdict import Level
from grader.sandbox import common, interpreter, payload, places, record, users
from grader.sandbox.disk import DiskWatch
from grader.sandbox.home import Home
from grader.sandbox.packages import find as find_packages
from grader.sandbox.supervise import Watch
from grader.sandbox.zygote import Zygote

if TYPE_CHECKING:
    from grader.model.result import Isolation
    from grader.model.run import Limits, RunRecord, RunRequest


KEPT = 3
"""Zygotes of one sandbox: a batch has one set of watched modules and two of warm ones."""


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
        self._package_paths = find_packages(packages)
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
        warm = common.wanted(request.files) if self._warm is None else self._warm
        flavour = Flavour(request.watch, warm, request.limits.disk_mib)
        try:
            zygote = self._ready(flavour)
            watch = Watch(request, self._disk(zygote, request.limits))
            watch.run(zygote, payload.case(request, tasks=self._tasks(request)))
            return record.record(watch, self.level)
        except Exception as error:  # noqa: BLE001 -- the seam promises a record, never an exception
            self._drop(flavour)
            return record.failed(f"{type(error).__name__}: {error}", self.level)

    def close(self) -> None:
        for flavour in tuple(self._zygotes):
            self._drop(flavour)

    def _drop(self, flavour: Flavour) -> None:
        zygote = self._zygotes.pop(flavour, None)  # another thread may close at the same time
        if zygote is not None:
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
        home = Home(self._interpreter, owner=owner, container=self.level is Level.ISOLATED)
        try:
            return Zygote(home, self._plan(home, flavour))
        except (OSError, GraderError):
            home.remove()
            raise

    def _plan(self, home: Home, flavour: Flavour) -> dict[str, Any]:
        return {
            "level": self.level.value,
            "box": str(home.box),
            "home": home.work,
            "temporary": home.temporary,
            "ids": self._ids,
            "many_ids": users.has_range(),
            "landlock": True,
            "places": [{"path": place.path, "hidden": list(place.hidden)} for place in places.find()],
            "packages": [str(path) for path in self._package_paths],
            "package_folders": home.add_packages(self._package_paths),
            "watcher_source": self._watcher_source,
            "watch": flavour.watched,
            "readable": [path for place in places.find() for path in place.entries()],
            "warm": flavour.warm,
            "disk_mib": flavour.disk_mib,
        }

    def _disk(self, zygote: Zygote, limits: Limits) -> DiskWatch | None:
        """Give a watch on the case's folder; in a container it is a mount that bounds itself."""
        return None if self.level is Level.ISOLATED else DiskWatch(str(zygote.home.box), limits.disk_mib << 20)

    def _tasks(self, request: RunRequest) -> int | None:
        """Give the kernel's limit on tasks of the case's user; another user's count isn't ours to set."""
        counted = self._ids is not None or self.level is Level.ISOLATED
        return request.limits.threads + request.limits.processes + 1 if counted else None
