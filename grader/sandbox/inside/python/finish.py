"""Ends the process as the interpreter would, without its costly last step.

A forked child that frees every object of its parent copies nearly every page; so what a program sees of the
interpreter's end is done here, and the rest is left to the kernel.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import itertools
import os
import sys
from typing import NoReturn

there: set[str] = set()
"""Modules that aren't the program's own."""


def note_modules() -> None:
    """Take down which modules are there before the program; once per zygote, for it costs a case many pages."""
    there.update(sys.modules)


def end(status: int) -> NoReturn:
    """Finish, then leave."""
    os._exit(play(status))


def play(status: int) -> int:
    """Join threads, run `atexit`, flush, let the program's modules go with their destructors; return the status."""
    threading = sys.modules.get("threading")
    for step in (getattr(threading, "_shutdown", None), atexit._run_exitfuncs):  # noqa: SLF001 -- as the interpreter
        with contextlib.suppress(BaseException):  # nothing raised here changes the exit status at home, either
            if step is not None:
                step()
    flush()
    brought = itertools.takewhile(lambda name: name not in there, reversed(sys.modules))
    for name in ("__main__", *[*brought][::-1]):
        sys.modules[name] = None  # type: ignore[assignment]  # what the interpreter does at its end
    gc.collect()
    flush()
    return status


def flush() -> None:
    """Write what is printed so far; the program may have put streams of its own in place."""
    for stream in (sys.stderr, sys.stdout, sys.__stderr__, sys.__stdout__):
        with contextlib.suppress(BaseException):
            stream.flush()  # type: ignore[union-attr]  # as above
