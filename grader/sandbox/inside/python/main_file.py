"""Runs a file in this interpreter as `python3 FILE` does.

Python reads its program line by line and refuses what is not UTF-8 where no encoding is declared, even in a comment.
`compile` looks at such a byte only where it needs it.
"""

from __future__ import annotations

import builtins
import contextlib
import re
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING

from ..loop import wire
from . import exceptions, finish

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, TracebackType

_INTERRUPTED = 130
"""The exit status of a shell's command that Ctrl-C has ended."""
_print = sys.__excepthook__
_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\f]*(?:#|$)")


def run(path: str) -> None:
    """Run the file as `__main__`."""
    main = ModuleType("__main__")
    main.__loader__ = SourceFileLoader("__main__", path)
    main.__dict__.update(__annotations__={}, __builtins__=builtins, __file__=path, __cached__=None)
    sys.modules["__main__"] = main
    exec(_compiled(path), main.__dict__)  # noqa: S102 -- this is what the process is for


def run_program(path: str, note: Callable[[BaseException], None] = lambda _: None) -> int:
    """Run the file; tell what it raises as the interpreter does, without our frames; return the exit status.

    `note` sees what was raised before the program's own hook does.
    """
    raised: BaseException | None = None
    try:
        run(path)
    except BaseException as error:  # noqa: BLE001 -- whatever a program raises
        raised = error
    finish.flush()
    if raised is None:
        return 0
    if isinstance(raised, SystemExit):
        return _exit_status(raised)
    note(raised)
    own = own_trace(raised, path)
    wire.answer(b"X", exceptions.raised(raised, own))
    return _show(raised.with_traceback(own))


def _exit_status(error: SystemExit) -> int:
    if error.code is None or isinstance(error.code, int):
        return (error.code or 0) & 0xFF
    with contextlib.suppress(BaseException):  # the student's own stream
        sys.stderr.write(f"{error.code}\n")
    return 1


def _show(error: BaseException) -> int:
    """Print an exception as the program wants it, or as the interpreter does."""
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    try:
        sys.excepthook(type(error), error, error.__traceback__)
    except SystemExit as leaving:
        return _exit_status(leaving)
    except BaseException as broken:  # noqa: BLE001 -- the student's own hook
        own = broken.__traceback__.tb_next if broken.__traceback__ else None
        with contextlib.suppress(BaseException):
            sys.stderr.write("Error in sys.excepthook:\n")
            _print(type(broken), broken.with_traceback(own), own)
            sys.stderr.write("\nOriginal exception was:\n")
            _print(type(error), error, error.__traceback__)
    return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def own_trace(error: BaseException, path: str) -> TracebackType | None:
    """Return the traceback from the program's first frame on; a file that can't be compiled has none."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != path:
        trace = trace.tb_next
    return trace


def _compiled(path: str) -> CodeType:
    """Compile the file, or raise what the interpreter raises, in its words."""
    with open(path, "rb") as file:
        source = file.read()
    lines = source.splitlines()
    declared = "utf-8" if source.startswith(_BOM) else _declared(lines)
    for number, line in enumerate(lines, start=1):
        _check(line, number, path, is_declared=bool(declared))
    try:
        return compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        if error.lineno or not declared:
            raise
        words = str(error.msg) if "encoding problem" in str(error.msg) else f"encoding problem: {declared}"
        raise SyntaxError(words) from None


def _declared(lines: list[bytes]) -> str:
    """Return the encoding that one of the first two lines names."""
    for line in lines[:2]:
        if found := _COOKIE.match(line):
            return found[1].decode("latin-1")
        if not _BLANK.match(line):
            break
    return ""


def _check(line: bytes, number: int, path: str, *, is_declared: bool) -> None:
    read, null, _ = line.partition(b"\0")
    try:
        read.decode("latin-1" if is_declared else "utf-8")
    except UnicodeDecodeError as error:
        raise SyntaxError(
            f"Non-UTF-8 code starting with '\\x{read[error.start]:02x}' in file {path} on line {number}, "
            "but no encoding declared; see https://peps.python.org/pep-0263/ for details"
        ) from None
    if null:
        text = read.decode("utf-8", "replace")
        raise SyntaxError("source code cannot contain null bytes", (path, number, 0, text))
