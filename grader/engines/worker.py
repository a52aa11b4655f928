"""A worker runs requests, whatever happens, in sandboxes of its own.

It belongs to one thread. It opens a sandbox for each set of packages when first asked, keeps the few used last,
and turns every failure of ours into a `sandbox_failed` record. A failure is tried again in fresh sandboxes; where
those fail while a *control*, a program that does nothing, runs well in one, the request's program broke them.
"""

from __future__ import annotations

import contextlib
import os
from collections import OrderedDict
from importlib import import_module
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec
from msgspec.structs import replace

from grader.model.run import File, Program, Raised, RunRecord, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from grader.model.result import Isolation
    from grader.model.seams import Sandbox

_CHANCES = 2  # fresh sandboxes that a program must break before it is blamed; a shortage of ours is over by then
_CONTROL = Program(main="control.py", argv=("ok",))
_CONTROL_FILES = (File(path="control.py", content=b"print('ok')"),)
BROKEN = "BrokenSandbox"
"""Type of what a program raised that breaks every sandbox."""
_KEPT = 3  # sandboxes with different packages that stay warm


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class OpenSandbox(Protocol):
    """Opens a sandbox in which these third-party packages can be imported."""

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Sandbox: ...


class SandboxFactory(msgspec.Struct, frozen=True, kw_only=True):
    """A factory's import path and its plain arguments: something that can be sent to a worker."""

    factory: str = "grader.sandbox.open:open_sandbox"
    options: dict[str, Any] = {}

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Sandbox:
        module, _, name = self.factory.partition(":")
        return cast("Sandbox", getattr(import_module(module), name)(packages=packages, **self.options))


class Worker:
    """Sandboxes by their packages, for one thread."""

    def __init__(self, open_sandbox: OpenSandbox) -> None:
        self._open = open_sandbox
        self._sandboxes: OrderedDict[tuple[str, ...], Sandbox] = OrderedDict()
        self._stopped = Event()

    @property
    def isolation(self) -> Isolation:
        """Tell how strong the wall is; raises SandboxError where none can be built."""
        return self._sandbox(()).isolation

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; a failure of the sandbox is ours unless the program brings it about, and nothing else does."""
        record = self._attempt(request)
        for _ in range(_CHANCES):
            if not self._has_failed(record):
                return record
            record = self._attempt_afresh(request)
            control = RunRequest(how=_CONTROL, files=_CONTROL_FILES, packages=request.packages, limits=request.limits)
            if self._has_failed(record) and self._has_failed(self._attempt_afresh(control)):
                return record
        return _broken(record) if self._has_failed(record) else record

    def _has_failed(self, record: RunRecord) -> bool:
        return record.ending is Ending.SANDBOX_FAILED or self._stopped.is_set()

    def _attempt_afresh(self, request: RunRequest) -> RunRecord:
        self._drop(request.packages)
        return self._attempt(request)

    def stop(self) -> None:
        """End the running request from another thread: its sandbox closes under it.

        A sandbox that is just being opened or started can't be reached yet: call it again until the thread has ended.
        """
        self._stopped.set()
        for sandbox in tuple(self._sandboxes.values()):
            with contextlib.suppress(Exception):  # it may be closing itself
                sandbox.close()

    def close(self) -> None:
        for packages in tuple(self._sandboxes):
            self._drop(packages)

    def _attempt(self, request: RunRequest) -> RunRecord:
        if self._stopped.is_set():
            return _failed("the engine was closed")
        try:
            return self._run_in(self._sandbox(request.packages), request)
        except Exception as error:  # noqa: BLE001 - whatever broke is ours, and must not cost the student anything
            return _failed(f"{type(error).__name__}: {error}")

    def _run_in(self, sandbox: Sandbox, request: RunRequest) -> RunRecord:
        if self._stopped.is_set():
            return _failed("the engine was closed")
        try:
            return sandbox.run(request)
        finally:
            if self._stopped.is_set():  # it may have started something after `stop` had closed it
                sandbox.close()

    def _sandbox(self, packages: tuple[str, ...]) -> Sandbox:
        if packages not in self._sandboxes:
            while len(self._sandboxes) >= _KEPT:
                self._drop(next(iter(self._sandboxes)))
            self._sandboxes[packages] = self._open(packages=packages)
        self._sandboxes.move_to_end(packages)
        return self._sandboxes[packages]

    def _drop(self, packages: tuple[str, ...]) -> None:
        sandbox = self._sandboxes.pop(packages, None)
        if sandbox is not None:
            with contextlib.suppress(Exception):  # a sandbox that broke may fail to close, too
                sandbox.close()


def _broken(record: RunRecord) -> RunRecord:
    """Make it the program's own ending."""
    raised = Raised(type=BROKEN, message="it broke every sandbox it ran in, where another program ran well")
    return replace(record, ending=Ending.EXITED, exit_status=1, raised=raised, was_long=True)


def _failed(detail: str) -> RunRecord:
    return RunRecord(ending=Ending.SANDBOX_FAILED, detail=detail)
