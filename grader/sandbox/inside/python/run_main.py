"""Hands the interpreter over to the student's program, from the bottom of the stack.

The program must not see a frame of ours below its own: not in a traceback, not in `inspect.stack()`, not in the depth
at which recursion ends. So our frames are unwound by an exception nobody catches. The interpreter then calls
`sys.excepthook` with no Python frame left, and that hook is the C function which runs a file as `python3 FILE` does:
its encoding line, its syntax errors, its traceback and its exit status are the interpreter's own.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import sys
from types import ModuleType
from typing import Any

from ..loop import wire
from . import exceptions, finish

NO_SUCH_FILE = 2
"""The interpreter's own exit status when it can't open its program."""

_libc = ctypes.CDLL(None, use_errno=True)
_libc.fopen.restype = ctypes.c_void_p
_program: dict[str, Any] = {}


class Unwound(Exception):  # noqa: N818 -- no error: it carries control to the bottom of the stack
    """Leaves every frame of the harness behind."""


def rise(path: str) -> None:
    """Unwind, then run the file as `__main__`."""
    _program["path"] = os.fsencode(path)
    _program["stream"] = _libc.fopen(_program["path"], b"rb")
    if not _program["stream"]:
        reason = ctypes.get_errno()
        sys.stderr.write(f"python3: can't open file {path!r}: [Errno {reason}] {os.strerror(reason)}\n")
        finish.end(NO_SUCH_FILE)
    sys.excepthook = _run_file
    raise Unwound


class _Stream:
    """Stands in the hook's call for the exception's type: gives the open file, after a last sweep."""

    @classmethod
    def from_param(cls, _type: Any) -> Any:
        sys.excepthook = sys.__excepthook__
        for name in ("last_type", "last_value", "last_traceback", "last_exc"):
            sys.__dict__.pop(name, None)
        _program["main"] = sys.modules["__main__"]  # the interpreter still runs in it, so it must live on
        sys.modules["__main__"] = _new_main()
        return ctypes.c_void_p(_program["stream"])


def _new_main() -> ModuleType:
    """Make the module in which the program runs; the old one is frozen, and nothing in it would ever be freed."""
    main = ModuleType("__main__")
    main.__dict__.update(__annotations__={}, __builtins__=builtins)
    return main


class _Path:
    """Stands for the exception: gives the file's name, and lets go of our frames."""

    @classmethod
    def from_param(cls, error: Unwound) -> Any:
        error.__traceback__ = None
        return ctypes.c_char_p(_program["path"])


class _CloseAtEnd:
    """Stands for the traceback: says yes."""

    @classmethod
    def from_param(cls, _traceback: Any) -> Any:
        return ctypes.c_int(1)


def _after(result: Any, _function: Any, _arguments: Any) -> Any:
    """Come here when the program has run to its end or raised; sys.exit() never comes back."""
    error = sys.__dict__.get("last_value") if result else None
    if error is not None:
        wire.answer(b"X", exceptions.raised(error, error.__traceback__))
    if not isinstance(error, KeyboardInterrupt):  # which ends by a signal, and the interpreter does that itself
        finish.end(1 if result else 0)


_run_file = ctypes.pythonapi["PyRun_SimpleFileEx"]
_run_file.restype = ctypes.c_int
_run_file.argtypes = [_Stream, _Path, _CloseAtEnd]  # type: ignore[list-item]  # any class with from_param will do
_run_file.errcheck = _after
