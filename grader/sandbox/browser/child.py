"""Plays cases in a browser's worker; `run.js` calls these functions between two messages.

The worker's memory is copied once, after `prepare`, and put back after each case. So every case begins in the same
fresh interpreter, as if it were forked; nothing here has to be undone. Only the standard library and `inside` are
needed.
"""

from __future__ import annotations

import asyncio
import gc
import io
import marshal
import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

from grader.sandbox.inside.loop import calls, watching, wire
from grader.sandbox.inside.python import finish, lay_out, main_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

HOME, TEMPORARY = "/home/student/work", "/home/student/tmp"
CHANNEL, WHERE, PRINTED, COMPLAINED = "/dev/channel", "/dev/where", "/dev/printed", "/dev/complained"
"""Devices of run.js: for frames, for the stack of a program that is to be stopped, and the standard streams."""
TOLD, STDIN = "/told", "/stdin"
"""Files by which it is told what to do: a value passed by a call would be known outside, and outlive its case."""
_OURS = frozenset(
    {"grader", "js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "pyodide_kernel", "micropip"}
)
"""What no ordinary Python has."""
AWAITS_CALLS = -1
_MOST_FRAMES = 100
_SHALLOW = 0.8
"""Share of the recursion limit: an endless recursion that ends earlier met the browser's own stack."""
_NAP_S = 0.01
_state: dict[str, Any] = {}


def prepare(watcher: str, watch: tuple[str, ...]) -> None:
    """Once per worker: set the guards, and make the interpreter look like `python3` on a course's machine."""
    signal.signal(signal.SIGALRM, _tell_where)
    watching.prepare(watcher, watch)
    for number, device in ((1, PRINTED), (2, COMPLAINED)):
        os.dup2(os.open(device, os.O_WRONLY), number)
    wire.out = os.open(CHANNEL, os.O_WRONLY)
    _state["where"] = os.open(WHERE, os.O_WRONLY)
    os.makedirs(os.path.dirname(HOME))
    os.environ.clear()
    os.environ.update(PATH="/usr/local/bin:/usr/bin:/bin", HOME=os.path.dirname(HOME), TMPDIR=TEMPORARY)
    os.environ.update(USER="student", LANG="C.UTF-8", TZ="UTC", PYTHONHASHSEED="0")
    sys.dont_write_bytecode = True
    sys.path[:] = [
        "",
        *(place for place in sys.path if place.endswith((".zip", "lib-dynload")) or "/python3." in place),
    ]
    sys.meta_path[:] = [finder for finder in sys.meta_path if _module_of(finder).partition(".")[0] not in _OURS]
    sys.meta_path.insert(0, _Absent())
    _undo_web_loop()
    os.close(0)  # the next file to be opened for good is the case's standard input
    gc.collect()


def _undo_web_loop() -> None:
    """Put back what Pyodide hangs on JavaScript's loop; without sockets, an event loop of Python's own says so."""
    asyncio._set_running_loop(None)  # noqa: SLF001 -- there is no public name for it
    asyncio.run = asyncio.runners.run
    asyncio.set_event_loop_policy(None)
    time.sleep = _in_naps(getattr(time.sleep, "__wrapped__", time.sleep), time.monotonic)


def _in_naps(nap: Callable[[Any], None], now: Callable[[], float]) -> Callable[[Any], None]:
    """Sleep in short naps: between them the alarm is asked, which counts no long silence of the machine."""

    def sleep(seconds: Any, /) -> None:
        begun = now()
        nap(min(seconds, _NAP_S) if isinstance(seconds, int | float) else seconds)
        while (left := seconds - (now() - begun)) > 0:
            nap(min(left, _NAP_S))

    sleep.__code__ = sleep.__code__.replace(co_filename="<sandbox>")
    return sleep


def begin() -> None:
    """Lay one case out; from here on the interpreter is the student's."""
    case = _told()
    _state["how"] = case["how"]
    lay_out.write_files(HOME, TEMPORARY, case["files"])
    lay_out.set_arguments(HOME, case["how"])
    watching.begin(HOME, case)
    if not case["processes"]:
        lay_out.explain_refusals()
    _open_streams()
    _forget()
    finish.note_modules()
    wire.go()


def run() -> int:
    """Run the program and return its exit status; or import its module, and return AWAITS_CALLS."""
    how = _state["how"]
    if how["main"]:
        return finish.play(main_file.run_program(f"{HOME}/{how['main']}", _note_depth))
    status = calls.ready(how)
    return AWAITS_CALLS if calls.is_ready() else finish.play(status)


def call() -> int:
    """Answer one call; return the exit status when there was none left, else AWAITS_CALLS."""
    asked = _told()
    if asked is None:
        return finish.play(0)
    calls.answer(*asked)
    return AWAITS_CALLS


def _told() -> Any:
    with open(TOLD, "rb") as file:
        return marshal.loads(file.read()[wire.LENGTH.size :])  # noqa: S302 -- only the supervisor writes to this end


def _open_streams() -> None:
    """Give the program plain standard streams, which know nothing of the browser."""
    os.open(STDIN, os.O_RDONLY)  # becomes the first descriptor that is free: 0
    for name, number, mode, errors in (  # as `-X utf8` has them
        ("stdin", 0, "r", "surrogateescape"),
        ("stdout", 1, "w", "surrogateescape"),
        ("stderr", 2, "w", "backslashreplace"),
    ):
        raw = open(number, f"{mode}b", closefd=False)  # noqa: SIM115 -- it lasts as long as the case
        newline = None if mode == "r" else "\n"
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors=errors, newline=newline, line_buffering=number == 2)
        stream.mode = mode  # type: ignore[misc]  # as the interpreter's own start does
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _forget() -> None:
    """Unload our own modules, and those whose names the student's files take."""
    taken = _OURS | {entry.partition(".")[0] for entry in os.listdir(HOME)}
    _state["kept"] = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in taken}


def _note_depth(error: BaseException) -> None:
    """Tell whether a recursion ended far before Python's own limit; with that the browser's stack was full."""
    depth, trace = 0, error.__traceback__
    while trace is not None:
        depth, trace = depth + 1, trace.tb_next
    if isinstance(error, RecursionError) and depth < _SHALLOW * sys.getrecursionlimit():
        _state["shallow"] = True


def was_shallow() -> bool:
    return bool(_state.get("shallow"))


def _tell_where(_signal: int, frame: FrameType | None) -> None:
    """Write where the program is, the innermost first, as `faulthandler` writes it."""
    lines: list[str] = []
    while frame is not None and len(lines) < _MOST_FRAMES:
        lines.append(f'  File "{frame.f_code.co_filename}", line {frame.f_lineno} in {frame.f_code.co_name}\n')
        frame = frame.f_back
    os.write(_state["where"], "".join(lines).encode("utf-8", "replace"))


class _Absent:
    """Finds nothing of ours, as on any other machine, unless the student has a file of that name."""

    def find_spec(self, name: str, *_: object) -> None:
        top = name.partition(".")[0]
        if top in _OURS and not any(os.path.exists(f"{HOME}/{top}{end}") for end in ("", ".py")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _module_of(finder: object) -> str:
    return str(getattr(finder, "__module__", "") or type(finder).__module__)
