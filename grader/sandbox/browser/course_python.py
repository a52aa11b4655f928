"""The Python of the course, as the browser's needs to know it: its version, and what its library has.

They are seldom the same version. What only one of them has must not make an answer wrong here, nor right.
"""

from __future__ import annotations

import errno
import importlib
import re
import sys
from importlib.util import find_spec

import msgspec

FILE = "course.json"
"""Where the judge of a site finds it."""
LOOKED_INTO = (
    "abc", "argparse", "array", "ast", "asyncio", "bisect", "calendar", "cmath", "collections", "contextlib",
    "copy", "csv", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "gc", "glob",
    "hashlib", "heapq", "inspect", "io", "itertools", "json", "locale", "logging", "math", "numbers",
    "operator", "os", "os.path", "pathlib", "platform", "pprint", "queue", "random", "re", "select", "shutil",
    "signal", "socket", "statistics", "string", "struct", "sys", "tempfile", "textwrap", "threading", "time",
    "traceback", "types", "typing", "unicodedata", "unittest", "warnings", "weakref",
)  # fmt: skip
"""Modules of homework, whose names are written down; of the others only that they are there."""
_ERROR = re.compile(r"\[Errno (\d{1,4})\]")
_NEVER = frozenset({"antigravity", "this"})
"""Importing them does something."""


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
            version=_here(),
            modules=tuple(there),
            members={name: names_of(name) for name in LOOKED_INTO},
            errors={name: number for number, name in errno.errorcode.items()},
        )

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def is_newer(self) -> bool:
        return self.version > _here()

    def has(self, module: str, name: str) -> bool:
        return name in self.members.get(module, ())

    def renumbered(self, text: str) -> str:
        """Give the system's errors in a text the numbers that the course's machine gives them."""

        def number(found: re.Match[str]) -> str:
            name = errno.errorcode.get(int(found[1]), "")
            return f"[Errno {self.errors.get(name, found[1])}]"

        return _ERROR.sub(number, text)

    def lacks(self, module: str, name: str) -> bool:
        """Tell whether a name is here and not there."""
        return module in self.members and not self.has(module, name) and name in names_of(module)


def names_of(module: str) -> tuple[str, ...]:
    """Return the public names of a module of this Python."""
    return tuple(sorted(name for name in dir(importlib.import_module(module)) if not name.startswith("_")))


def _here() -> tuple[int, int]:
    return sys.version_info[0], sys.version_info[1]


def _is_there(name: str) -> bool:
    return name in sys.builtin_module_names or find_spec(name) is not None
