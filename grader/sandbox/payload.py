"""Writes a request as the bytes that go to the child, and only there."""

from __future__ import annotations

import marshal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from grader.model.run import Program
from grader.sandbox.inside.wire import LENGTH

if TYPE_CHECKING:
    from grader.model.run import Agent, Calls, File, Limits, RunRequest

MARSHAL_VERSION = 2
"""Every supported Python reads it, and it keeps no references between values."""
_ODD = frozenset({"", ".", ".."})


def frame(data: Any) -> bytes:
    """Give a frame for the child."""
    body = marshal.dumps(data, MARSHAL_VERSION)
    return LENGTH.pack(len(body)) + body


def case(request: RunRequest, *, tasks: int | None) -> bytes:
    """Give the byte that carries the descriptors and the frame that makes a child into this case."""
    return b"C" + frame(
        {
            "how": _how(request.how),
            "files": [_file(file) for file in (*request.files, *request.inputs)],
            "limits": _limits(request.limits, tasks),
        }
    )


def _how(how: Program | Calls | Agent) -> dict[str, Any]:
    if isinstance(how, Program):
        return {"main": how.main, "argv": how.argv}
    return {"module": how.module.removesuffix(".py").replace("/", "."), "function": how.function}


def _file(file: File) -> tuple[str, bytes]:
    if _ODD.isdisjoint(file.path.split("/")):
        return file.path, file.content
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{file.path!r} is no path below the working directory")
    return str(path), file.content


def _limits(limits: Limits, tasks: int | None) -> dict[str, Any]:
    return {
        "cpu_s": limits.cpu_s,
        "memory_mib": limits.memory_mib,
        "disk_mib": limits.disk_mib,
        "files": limits.files,
        "processes": limits.processes,
        "tasks": tasks,
    }
