"""Hands the interpreter over to the student's program, from the bottom of the stack.

The program must not see a frame of ours below its own: not in a traceback, not in `inspect.stack()`, not in the depth
at which recursion ends. So our frames are unwound by an exception nobody catches. The interpreter then calls
`sys.excepthook` with no Python frame left, and that hook is the C function which runs a file as `python3 FILE` does:
its encoding line, its syntax errors, its traceback and its exit status are the interpreter's own.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

from . import depth, finish, told, wire

NO_SUCH_FILE = 2
"""The interpreter's own exit status when it can't open its program."""


class Unwound(Exception):  # noqa: N818 -- no error: it carries control to the bottom of the stack
    """Leaves every frame of the harness behind."""


def rise(path: str) -> None:
    """Unwind, then run the file as `__main__`."""
    stream = _open(path)
    run = ctypes.pythonapi["PyRun_SimpleFileEx"]
    run.restype = ctypes.c_int
    run.argtypes = [
        _argument(stream, first=True),
        _argument(ctypes.c_char_p(os.fsencode(path))),
        _argument(ctypes.c_int(1)),
    ]
    run.errcheck = _after
    sys.excepthook = run
    raise Unwound


def _open(path: str) -> ctypes.c_void_p:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.fopen.restype = ctypes.c_void_p
    stream = libc.fopen(os.fsencode(path), b"rb")
    if stream:
        return ctypes.c_void_p(stream)
    reason = ctypes.get_errno()
    sys.stderr.write(f"python3: can't open file {path!r}: [Errno {reason}] {os.strerror(reason)}\n")
    finish.end(NO_SUCH_FILE)
    raise AssertionError


def _argument(value: Any, *, first: bool = False) -> Any:
    """Give a converter that ignores what the interpreter passes to an excepthook and gives `value` instead."""

    class Argument:
        @classmethod
        def from_param(cls, passed: Any) -> Any:
            if first:
                _sweep_stage()
                depth.give_back(1)
            elif isinstance(passed, Unwound):
                passed.__traceback__ = None
            return value

    return Argument


def _sweep_stage() -> None:
    """Take away every trace of our own unwinding and of our own `__main__`."""
    sys.excepthook = sys.__excepthook__
    for name in ("last_type", "last_value", "last_traceback", "last_exc"):
        sys.__dict__.pop(name, None)
    main = sys.modules["__main__"].__dict__
    for name in [name for name in main if not name.startswith("__")]:
        del main[name]
    main["__annotations__"] = {}


def _after(result: Any, _run: Any, _arguments: Any) -> Any:
    """Come here when the program has run to its end or raised; sys.exit() never comes back."""
    error = sys.__dict__.get("last_value") if result else None
    if error is not None:
        wire.write_frame(wire.CHANNEL, b"X", told.raised(error, error.__traceback__))
    if not isinstance(error, KeyboardInterrupt):  # which ends by a signal, and the interpreter does that itself
        finish.end(1 if result else 0)
