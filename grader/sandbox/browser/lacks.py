"""Names what a browser lacks: where that alone ended a program, its answer is unknown, not wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.model.run import Raised, RunRecord
    from grader.sandbox.browser.course_python import CoursePython

SLOWNESS = 3
"""Python in WebAssembly is some times slower, so a program gets so many times its processor time."""
DIFFERENCES = (
    "Some modules are missing, such as `curses`, `readline`, `resource`, `sqlite3`, `ssl`, `tkinter`, `turtle`.",
    "Python may be newer than the course's. What only one of the two has is named, and nothing is judged by it.",
    "No threads, no other processes, no network, no event loop.",
    f"Python is slower here, so it gets {SLOWNESS} times the time. Only the course's run can call it too slow.",
    "Deep recursion through `lru_cache` and other functions written in C ends earlier: the stack is smaller.",
    "`sys.maxsize` is 2³¹ − 1, and hashes differ, so a set may come in another order.",
)
"""What students are told; whatever of it ends a program is recognised below."""
_NO_MODULE = re.compile(r"No module named '(\w+)[\w.]*'")
_NO_NAME = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_NO_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_NO_THREAD = "can't start new thread"
_NARROW = re.compile(r"C (?:ssize_t|size_t|long)\b|index-sized integer")
_STACK = re.compile(r"call stack|recursion")
_UNSUPPORTED = re.compile(
    r"\[Errno (?:52|138)\]|emscripten does not support|not (?:supported|available) (?:on|in|by)"
)


def lack_of(record: RunRecord, course: CoursePython, *, is_shallow: bool, crash: str) -> str:
    """Say what is lacking where that alone ended the program; empty when it ended by itself."""
    if is_shallow or _STACK.search(crash):
        return elsewhere(
            "its calls are nested deeper than the browser's stack, though perhaps not than Python's limit"
        )
    if crash:
        return elsewhere("the browser's Python broke down, often for want of memory")
    raised = record.raised or next((reply.raised for reply in record.replies if reply.raised), None)
    reason = (_reason(raised) or _absent(raised, course)) if raised else ""
    return elsewhere(reason) if reason else ""


def elsewhere(reason: str) -> str:
    """Say that only the course's run can tell."""
    return f"This can't be checked in a browser: {reason}. The course's run decides; nothing here is wrong yet."


def _absent(raised: Raised, course: CoursePython) -> str:
    """Name what the course's Python has and this one lacks."""
    module = _NO_MODULE.search(raised.message)
    if raised.type in {"ModuleNotFoundError", "ImportError"} and module and module[1] in course.modules:
        return f"the module `{module[1].removeprefix('_')}` isn't there"
    name = _NO_NAME.search(raised.message)
    if raised.type == "AttributeError" and name and course.has(name[1], name[2]):
        return f"`{name[1]}.{name[2]}` isn't in the browser's Python"
    name = _NO_IMPORT.search(raised.message)
    if raised.type == "ImportError" and name and course.has(name[2], name[1]):
        return f"`{name[2]}.{name[1]}` isn't in the browser's Python"
    if raised.type == "SyntaxError" and course.is_newer:
        return f"its Python is older than the course's, {course.name}, and can't read this program"
    return ""


def _reason(raised: Raised) -> str:
    if raised.type == "RuntimeError" and _NO_THREAD in raised.message:
        return "it starts a thread, and there are none"
    if raised.type in {"OSError", "RuntimeError", "NotImplementedError"} and _UNSUPPORTED.search(raised.message):
        return "it asks for something that only a whole operating system has"
    if raised.type == "OverflowError" and _NARROW.search(raised.message):
        return "the browser's Python has 32 bits where the course's has 64, and a number is too large for them"
    return ""
