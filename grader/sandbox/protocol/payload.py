"""Writes a request as the bytes that go to the child, and only there."""

from __future__ import annotations

import marshal
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from grader.model.run import Program
from grader.sandbox.inside.loop.wire import LENGTH
from grader.sandbox.inside.wall import rlimits

if TYPE_CHECKING:
    from grader.model.run import Agent, Calls, File, RunRequest
    from grader.sandbox.inside.plan import Case, How

MARSHAL_VERSION = 2
"""Every supported Python reads it, and it keeps no references between values."""
ENVIRONMENT = {"USER": "student", "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}
"""The same for every program; with a fixed seed the order of sets, too, for a mark must not hang on chance."""
_ODD = frozenset({"", ".", ".."})


def frame(data: Any) -> bytes:
    """Return a frame for the child."""
    body = marshal.dumps(data, MARSHAL_VERSION)
    return LENGTH.pack(len(body)) + body


def case(request: RunRequest, *, tasks: int | None) -> bytes:
    """Return the byte that carries the descriptors and the frame that makes a child into this case."""
    return b"C" + frame(told(request, tasks=tasks))


def told(request: RunRequest, *, tasks: int | None) -> Case:
    """Return what a child is told of its case."""
    return {
        "how": _how(request.how),
        "own": len(request.files),
        "files": [_file(file) for file in (*request.files, *request.inputs)],
        "limits": rlimits.wanted(request.limits, tasks=tasks),
        "processes": request.limits.processes,
    }


def _how(how: Program | Calls | Agent) -> How:
    if isinstance(how, Program):
        return {"main": how.main, "argv": how.argv, "module": "", "function": ""}
    module = how.module.removesuffix(".py").replace("/", ".")
    return {"main": "", "argv": (), "module": module, "function": how.function}


def _file(file: File) -> tuple[str, bytes]:
    if _ODD.isdisjoint(file.path.split("/")):
        return file.path, file.content
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(f"{file.path!r} is no path below the working directory")
    return str(path), file.content
