"""Names what a browser lacks: where that alone ended a program, its answer is unknown, not wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model.run import Raised, RunRecord

SLOWNESS = 3
"""Python in WebAssembly is some times slower, so a program gets so many times its processor time."""
MODULES = frozenset(
    {"_curses", "_sqlite3", "_ssl", "_tkinter", "curses", "dbm", "fcntl", "grp", "idlelib", "lzma", "pwd", "readline"}
    | {"resource", "sqlite3", "ssl", "syslog", "termios", "tkinter", "turtle", "turtledemo", "venv"}
)
"""Modules of the standard library that Pyodide leaves out; a test compares the list with the real thing."""
DIFFERENCES = (
    f"Missing modules: {', '.join(sorted(name for name in MODULES if not name.startswith('_')))}.",
    "No threads, no other processes, no network.",
    f"Python is slower here, so it gets {SLOWNESS} times the time. Only the course's run can call it too slow.",
    "Very deep recursion can end earlier: the browser's stack is smaller.",
    "`sys.maxsize` is 2³¹ − 1, and hashes differ, so a set may come in another order.",
)
"""What students are told; whatever of it ends a program is recognised below."""
_NO_MODULE = re.compile(r"No module named '(\w+)[\w.]*'")
_NO_THREAD = "can't start new thread"
_UNSUPPORTED = re.compile(
    r"\[Errno (?:52|138)\]|emscripten does not support|not (?:supported|available) (?:on|in|by)"
)
_ELSEWHERE = "This can't be checked in a browser: {}. The course's run decides; nothing here is wrong yet."


def lack_of(record: RunRecord, *, is_shallow: bool, crash: str) -> str:
    """Say what is lacking where that alone ended the program; empty when it ended by itself."""
    if crash:
        return _ELSEWHERE.format("the browser's Python broke down, often from very deep recursion or too much memory")
    if is_shallow:
        return _ELSEWHERE.format("its recursion is deeper than the browser's stack, though not than Python's limit")
    raised = record.raised or next((reply.raised for reply in record.replies if reply.raised), None)
    reason = _reason(raised) if raised else ""
    return _ELSEWHERE.format(reason) if reason else ""


def _reason(raised: Raised) -> str:
    missing = _NO_MODULE.search(raised.message)
    if raised.type in {"ModuleNotFoundError", "ImportError"} and missing and missing[1] in MODULES:
        return f"the module `{missing[1].removeprefix('_')}` isn't there"
    if raised.type == "RuntimeError" and _NO_THREAD in raised.message:
        return "it starts a thread, and there are none"
    if raised.type in {"OSError", "RuntimeError", "NotImplementedError"} and _UNSUPPORTED.search(raised.message):
        return "it asks for something that only a whole operating system has"
    return ""
