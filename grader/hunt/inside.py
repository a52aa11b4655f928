"""Has a student's program answer one puzzle after the other; its text goes into the sandbox, without the grader.

Every puzzle begins as the first one did: modules of the student's are imported again, `sys` and the folder are as
they were. A program can still spoil the process that it shares with itself, so what fails here is asked again alone.
"""

from __future__ import annotations

import _thread
import io
import os
import signal
import sys
from types import ModuleType
from typing import Any, NoReturn

MOST = 1 << 18
"""Bytes of output that are taken: more than small puzzles make a right program print."""
_LEAST_S = 1e-3

_home = os.getcwd()
_modules = frozenset(sys.modules)
_path = tuple(sys.path)
_depth = sys.getrecursionlimit()
_streams = sys.stdin, sys.stdout, sys.stderr
_code: dict[str, Any] = {}
_left_s = [0.0]


class InDoubt(BaseException):
    """Time is up, or what was printed isn't all there is; no Exception, so that few programs catch it."""


def run_program(puzzle: Any, main: str, argv: tuple[str, ...], stdin: bytes) -> tuple[int, str]:
    """Run the file as `__main__`; return its exit status, and its output with a letter for each byte."""
    _begin(*puzzle)
    path = f"{_home}/{main}"
    sys.argv[:] = [main, *argv]
    sys.path[0] = os.path.dirname(path)
    if main not in _code:
        with open(path, "rb") as file:
            _code[main] = compile(file.read(), path, "exec", dont_inherit=True)
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__dict__.update(__file__=path, __annotations__={})
    printed = io.BytesIO()
    own = (_text(io.BytesIO(stdin), 0), _text(printed, 1), _text(io.BytesIO(), 2))
    sys.stdin, sys.stdout, sys.stderr = own
    try:
        status = _in_time(_status, _code[main], module.__dict__)
        own[1].flush()
        text = printed.getvalue().decode("latin-1")
    finally:
        sys.stdin, sys.stdout, sys.stderr = _streams
    if len(text) > MOST or _thread._count():  # noqa: SLF001 - a thread may print yet
        raise InDoubt
    return status, text


def call_function(puzzle: Any, module: str, function: str, *arguments: Any) -> Any:
    """Call the function; with the first call of a puzzle its module is imported anew."""
    if puzzle:
        _begin(*puzzle)
        _in_time(__import__, module)
    return _in_time(getattr(sys.modules[module], function), *arguments)


def _begin(files: Any, cpu_s: float) -> None:
    """Write the input, and take back what an earlier puzzle may have changed."""
    os.chdir(_home)
    for path, content in files:
        with open(path, "wb") as file:
            file.write(content)
    for name in sys.modules.keys() - _modules:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(_home):
            del sys.modules[name]
    sys.path[:] = _path
    sys.setrecursionlimit(_depth)
    _left_s[0] = cpu_s


def _status(code: Any, names: dict[str, Any]) -> int:
    """Run a program to its end, with what is left in its buffer; return the exit status."""
    status = 0
    try:
        exec(code, names)  # noqa: S102 - this is what the sandbox is for
    except SystemExit as end:
        status = end.code & 0xFF if isinstance(end.code, int) else int(end.code is not None)
    sys.stdout.flush()
    return status


def _in_time(call: Any, *arguments: Any) -> Any:
    """Call with the processor time that is left to this puzzle."""
    try:
        signal.signal(signal.SIGPROF, _stop)
        signal.setitimer(signal.ITIMER_PROF, _left_s[0], _left_s[0])
        return call(*arguments)
    finally:
        _left_s[0] = max(_LEAST_S, signal.setitimer(signal.ITIMER_PROF, 0)[0])


def _stop(_number: int, _frame: Any) -> NoReturn:
    raise InDoubt


def _text(data: io.BytesIO, number: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(data, encoding=_streams[number].encoding, errors=_streams[number].errors)
