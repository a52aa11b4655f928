"""What engines are tested with: a real cluster, and a factory that any worker can call."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from distributed import Client

from grader.engines.local import open_engine
from grader.engines.worker import SandboxFactory
from grader.model.run import Program, RunRequest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from grader.model.seams import Engine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PATIENCE_S = 120


def request(word: str = "ok", *, packages: tuple[str, ...] = ()) -> RunRequest:
    """Return a request on which the plain sandbox acts by its word."""
    return RunRequest(how=Program(main="a.py", argv=(word,)), files=(), packages=packages)


@contextmanager
def opened(url: str, runs: Path) -> Iterator[Engine]:
    """Open an engine whose sandboxes note every run in the folder."""
    factory = SandboxFactory(factory="plain_sandbox:open_plain", options={"folder": str(runs)})
    engine = open_engine(url, factory=factory, workers=2)
    try:
        yield engine
    finally:
        engine.close()


def ran_by(runs: Path) -> set[int]:
    """Return the processes that ran something."""
    return {int(name.name.split(".")[1]) for name in runs.iterdir()}


class Cluster:
    """A scheduler and its workers, started as a site would start them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.file = folder / "scheduler.json"
        self.scheduler = self.start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file)
        )
        self.wait_for(self.file.exists)
        self.workers = [self.add_worker() for _ in range(2)]
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE_S)

    @property
    def url(self) -> str:
        address: str = msgspec.json.decode(self.file.read_bytes())["address"]
        return address.replace("tcp://", "dask://")

    def addresses(self) -> set[str]:
        with Client(scheduler_file=str(self.file), set_as_default=False) as client:
            return set(client.nthreads())

    def add_worker(self, tree: Path = ROOT) -> subprocess.Popen[bytes]:
        place = ("--host", "127.0.0.1", "--local-directory", str(self.folder), "--scheduler-file", str(self.file))
        return self.start("worker", *place, "--nthreads", "1", "--no-nanny", tree=tree)

    def environment(self, tree: Path = ROOT) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": f"{tree}{os.pathsep}{HERE}", "XDG_CACHE_HOME": str(self.folder)}

    def start(self, *arguments: str, tree: Path = ROOT) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        log = self.stack.enter_context((self.folder / "log").open("ab"))
        process = subprocess.Popen(command, env=self.environment(tree), stdout=log, stderr=log, cwd=self.folder)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def wait_for(self, claim: Any) -> None:
        until = time.monotonic() + PATIENCE_S
        while not claim():
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.05)
