"""Says where a browser's Python differs from the course's: what that alone ended is unknown, not wrong."""

from __future__ import annotations

import ast
import errno
import importlib
import re
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.run import File, Raised, RunRecord

COURSE = "course.json"
"""Where the judge of a site finds what the course's Python is like."""
SLOWNESS = 3
"""Python in WebAssembly is some times slower, so a program gets so many times its processor time."""
DIFFERENCES = (
    "Some modules are missing, such as `curses`, `readline`, `resource`, `sqlite3`, `ssl`, `tkinter`, `turtle`.",
    "Python may be newer than the course's: what only the newer one has works here, and not there.",
    "No threads, no other processes, no network, no event loop.",
    f"Python is slower here, so it gets {SLOWNESS} times the time. Only the course's run can call it too slow.",
    "Deep recursion through `lru_cache` and other functions written in C ends earlier: the stack is smaller.",
    "`sys.maxsize` is 2³¹ − 1, and hashes differ, so a set may come in another order.",
)
"""What students are told; whatever of it ends a program is recognised below."""
_LOOKED_INTO = (
    "abc", "argparse", "array", "ast", "asyncio", "bisect", "calendar", "cmath", "collections", "contextlib",
    "copy", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc", "glob",
    "hashlib", "heapq", "inspect", "io", "itertools", "json", "locale", "logging", "math", "numbers",
    "operator", "os", "os.path", "pathlib", "platform", "pprint", "queue", "random", "re", "select", "shutil",
    "signal", "socket", "statistics", "string", "struct", "sys", "tempfile", "textwrap", "threading", "time",
    "traceback", "types", "typing", "unicodedata", "unittest", "warnings", "weakref",
)  # fmt: skip
"""Modules of homework, whose names are written down; of the others only that they are there."""
_NEVER = frozenset({"antigravity", "this"})
"""Importing them does something."""
_ERROR = re.compile(r"\[Errno (\d{1,4})\]")
_NO_MODULE = re.compile(r"No module named '(\w+)[\w.]*'")
_NO_NAME = re.compile(r"(?:module '([\w.]+)' has no attribute|cannot import name) '(\w+)'(?: from '([\w.]+)')?")
_NO_THREAD = "can't start new thread"
_NARROW = re.compile(r"C (?:ssize_t|size_t|long)\b|index-sized integer")
_STACK = re.compile(r"call stack|recursion")
_UNSUPPORTED = re.compile(
    r"\[Errno (?:52|138)\]|emscripten does not support|not (?:supported|available) (?:on|in|by)"
)


class CoursePython(msgspec.Struct, frozen=True, kw_only=True):
    """What the course's programs run in."""

    version: tuple[int, int]
    modules: tuple[str, ...]
    """Of the standard library, those that are installed."""
    members: dict[str, tuple[str, ...]]
    """Module → its public names."""
    errors: dict[str, int]
    """Name of a system's error → its number."""

    @classmethod
    def of_this(cls) -> CoursePython:
        """Describe the Python that this runs in."""
        there = (name for name in sorted(sys.stdlib_module_names - _NEVER) if _is_there(name))
        return cls(
            version=sys.version_info[:2],
            modules=tuple(there),
            members={name: tuple(dir(importlib.import_module(name))) for name in _LOOKED_INTO},
            errors={name: number for number, name in errno.errorcode.items()},
        )

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    def renumbered(self, text: str) -> str:
        """Give the system's errors in a text the numbers that the course's machine gives them."""

        def number(found: re.Match[str]) -> str:
            name = errno.errorcode.get(int(found[1]), "")
            return f"[Errno {self.errors.get(name, found[1])}]"

        return _ERROR.sub(number, text)


def newer_than(course: CoursePython, files: Iterable[File]) -> str:
    """Say which line has syntax that the course's Python doesn't read; empty when there is none."""
    for file in files:
        if not file.path.endswith(".py"):
            continue
        try:
            ast.parse(file.content)
            ast.parse(file.content, feature_version=course.version)
        except SyntaxError as error:
            if "only supported in Python" in str(error.msg):
                return elsewhere(
                    f"line {error.lineno} of {file.path} has syntax of a newer Python, and the course runs Python "
                    f"{course.name}"
                )
        except (ValueError, RecursionError):
            continue  # not even this Python reads it, and the check says so
    return ""


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
    """Name what the course's Python may have and this one lacks."""
    module = _NO_MODULE.search(raised.message)
    if raised.type in {"ModuleNotFoundError", "ImportError"} and module and module[1] in course.modules:
        return f"the module `{module[1].removeprefix('_')}` isn't there"
    name = _NO_NAME.search(raised.message)
    owner = (name[1] or name[3]) if name else ""
    if name and raised.type in {"AttributeError", "ImportError"} and name[2] in course.members.get(owner, ()):
        return f"`{owner}.{name[2]}` isn't in the browser's Python"
    if raised.type == "SyntaxError" and course.version > sys.version_info[:2]:
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


def _is_there(name: str) -> bool:
    return name in sys.builtin_module_names or find_spec(name) is not None
