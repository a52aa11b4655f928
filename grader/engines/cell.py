"""One worker's sandboxes: run a request, whatever happens.

A cell belongs to one thread. It opens a sandbox for each set of packages when first asked, keeps the few used last,
and turns every failure of ours into a `sandbox_failed` record, after one more try in a fresh sandbox.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from threading import Event
from typing import TYPE_CHECKING, Protocol

from grader.model.run import RunRecord
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from grader.model.result import Isolation
    from grader.model.run import RunRequest
    from grader.model.seams import Sandbox

_KEPT = 3  # sandboxes with different packages that stay warm


class OpenSandbox(Protocol):
    """Opens a sandbox in which these third-party packages can be imported."""

    def __call__(self, *, packages: tuple[str, ...] = ()) -> Sandbox: ...


class Cell:
    def __init__(self, open_sandbox: OpenSandbox) -> None:
        self._open = open_sandbox
        self._sandboxes: OrderedDict[tuple[str, ...], Sandbox] = OrderedDict()
        self._stopped = Event()

    @property
    def isolation(self) -> Isolation:
        """Tell how strong the wall is; raises SandboxError where none can be built."""
        return self._sandbox(()).isolation

    def run(self, request: RunRequest) -> RunRecord:
        """Run it; a failure of the sandbox gets a second chance in a fresh one."""
        record = self._attempt(request)
        if record.ending is Ending.SANDBOX_FAILED and not self._stopped.is_set():
            self._drop(request.packages)
            record = self._attempt(request)
        return record

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


def _failed(detail: str) -> RunRecord:
    return RunRecord(ending=Ending.SANDBOX_FAILED, detail=detail)
