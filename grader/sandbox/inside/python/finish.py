"""Ends the process as the interpreter would, without its costly last step.

A forked child that frees every object of its parent copies nearly every page; so the visible part of the
interpreter's end is played here (threads, atexit, flush, destructors, flush), and the rest is left to the kernel.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from typing import Any

from . import warm

FLUSH_FAILED = 120
"""The interpreter's own exit status when standard output can't be flushed."""


def end(status: int) -> None:
    """Finish as Py_FinalizeEx does, then leave."""
    os._exit(play(status))


def play(status: int) -> int:
    """Do what a program sees of Py_FinalizeEx; return the exit status."""
    threading = sys.modules.get("threading")
    for step in (getattr(threading, "_shutdown", None), atexit._run_exitfuncs):  # noqa: SLF001 -- as the interpreter
        with contextlib.suppress(BaseException):  # nothing raised here changes the exit status at home, either
            if step is not None:
                step()
    flushed = _flush()
    _drop_modules()
    flushed = _flush() and flushed
    return status if flushed else FLUSH_FAILED


def _flush() -> bool:
    """Flush both streams; a failure is told on stderr in the interpreter's words."""
    flushed = True
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name, None)
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except BaseException as error:  # noqa: BLE001 -- a student's own stream may raise anything
            if name == "stdout":
                flushed = False
                _tell_ignored(stream, error)
    return flushed


def _tell_ignored(stream: Any, error: BaseException) -> None:
    with contextlib.suppress(BaseException):  # the student's own repr
        text = f"Exception ignored in: {stream!r}\n{type(error).__name__}: {error}\n"
        os.write(2, text.encode("utf-8", "replace"))


def _drop_modules() -> None:
    """Let go of every module that the program brought, in order of import, so that destructors run."""
    for name in ("__main__", *warm.imported()):
        sys.modules[name] = None  # type: ignore[assignment]  # what the interpreter does at its end
    gc.collect()
