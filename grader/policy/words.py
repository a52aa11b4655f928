"""Words without which no file can reach a banned module.

Every step into a banned module begins with a name that stands in the source: the module's own, one under which
another module holds it, an importer, an executor or a way to look around. A file with none of them needs no trace.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from grader.policy import library, sinks

if TYPE_CHECKING:
    from grader.policy.sources import Source

_WAYS = frozenset(
    [
        "exec",
        "eval",
        "compile",
        "__builtins__",
        "builtins",
        "f_builtins",
        "__globals__",
        "f_globals",
        "f_locals",
        "modules",
        "__subclasses__",
        "gc",
        "ctypes",
        "pythonapi",
        "marshal",
        "pickle",
        "_pickle",
        "subprocess",
        "popen",
        "system",
        "spawn",
        "fork",
        "runpy",
        "runctx",
        "runeval",
        "runsource",
        "runcode",
        "timeit",
        "repeat",
        "run_string",
        "InteractiveInterpreter",
        "__loader__",
        "__spec__",
        "meta_path",
        "path_hooks",
        "setprofile",
        "settrace",
        "__code__",
        "getclosurevars",
        "getmembers",
        "__import__",
        "importlib",
        "importer",
        "pydoc",
        "imp",
        "pkgutil",
        "__self__",
        "__getattribute__",
        "vars",
        "attrgetter",
        "getattr",
        "reduce",
        "methodcaller",
        "__dict__",
        "_current_frames",
        "posix_spawn",
        "execv",
        "execvp",
        "execl",
        "CodeType",
        "FunctionType",
        "breakpointhook",
    ]
)


def may_reach(source: Source, banned: tuple[str, ...]) -> bool:
    """Say whether a file has any word that a step into a banned module needs."""
    if not source.is_parsed:
        return False
    return not _words(banned).isdisjoint(source.words)


@cache
def _words(banned: tuple[str, ...]) -> frozenset[str]:
    parts = frozenset(part for name in banned for part in name.split("."))
    return parts | library.holders(banned) | sinks.IMPORTERS | _WAYS


@cache
def telling(banned: tuple[str, ...]) -> frozenset[str]:
    """Give the attributes and keys that may be the step itself."""
    parts = frozenset(part for name in banned for part in name.split("."))
    return (
        parts
        | library.holders(banned)
        | {"__import__", "__subclasses__", "f_globals", "f_locals", "meta_path"}
        | {"path_hooks", "pythonapi", "__globals__"}
    )
