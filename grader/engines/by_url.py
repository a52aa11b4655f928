"""Turns `--engine` into an engine.

local            this machine, as many workers as asked for, or as keep its cores busy
local:N          this machine, N workers
dask             dask on this machine, in processes of its own
dask://host:port a dask scheduler; also tcp://host:port and tls://host:port
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from grader.engines.cores import cores
from grader.engines.local import LocalEngine
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.engines.worker import SandboxFactory
    from grader.model.seams import Engine

_LOCAL = re.compile("local(?::([1-9][0-9]*))?")
_REMOTE = ("dask://", "tcp://", "tls://")


def open_engine(url: str, *, factory: SandboxFactory, workers: int | None = None) -> Engine:
    """Open the engine that the URL names; without a number, one worker per core, and two for a large batch."""
    if url == "dask" or url.startswith(_REMOTE):
        return _open_dask(url, factory, workers or cores())
    named = _LOCAL.fullmatch(url)
    if named is None:
        raise UsageError(
            f"unknown engine {url!r}", hint="Known are local, local:4, dask and dask://host:8786 (or tcp://, tls://)."
        )
    wanted = int(named[1] or workers or 0)
    engine = LocalEngine(factory, workers=wanted) if wanted else LocalEngine(factory, workers=cores(), more=cores())
    engine.begin()
    return engine


def _open_dask(url: str, factory: SandboxFactory, workers: int) -> Engine:
    if find_spec("distributed") is None:
        raise UsageError("this engine needs dask", hint="Install it: pip install 'maze-grader[dask]'")
    from grader.engines.dask import DaskEngine  # noqa: PLC0415 - an optional extra, and slow to import

    address = "" if url == "dask" else url.replace("dask://", "tcp://", 1)
    return DaskEngine(factory, address=address, workers=workers)
