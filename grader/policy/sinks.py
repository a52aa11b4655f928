"""The sinks: library calls that import a name, run a text, or reach further."""

from __future__ import annotations

import io
import pickletools
import re
import shlex
import sys
from itertools import pairwise

IMPORTERS = frozenset(
    [
        "__import__",
        "import_module",
        "_gcd_import",
        "_find_and_load",
        "find_spec",
        "find_loader",
        "get_loader",
        "load_module",
        "find_module",
        "resolve_name",
        "run_module",
        "locate",
        "safeimport",
        "loadTestsFromName",
        "loadTestsFromNames",
        "patch",
        "import_string",
        "find_class",
        "get_importer",
        "init_builtin",
        "create_builtin",
        "get_source",
        "get_code",
        "spec_from_loader",
        "import_item",
        "resolve_dotted_attribute",
        "get_frozen_object",
        "ResolverImport",
        "_import_module",
        "load_source",
        "reload",
        "BuiltinImporter",
    ]
)
"""Last names of library callables that take a module's dotted name."""

EXECUTORS = frozenset(
    [
        "exec",
        "eval",
        "compile",
        "timeit",
        "repeat",
        "run",
        "runctx",
        "runcall",
        "runeval",
        "runsource",
        "runcode",
        "push",
        "run_string",
        "exec_",
        "PyRun_SimpleString",
        "PyRun_String",
        "Timer",
        "interact",
        "run_code",
        "compile_command",
    ]
)
RUNNERS = frozenset(
    {"timeit", "cProfile", "profile", "bdb", "pdb", "trace", "code", "codeop", "_xxsubinterpreters", "_interpreters"}
)
"""Modules that are there to run a text."""
_RUN_TEXT = RUNNERS | {"builtins", "ctypes", "concurrent", "_testcapi"}
_PROCESSES = frozenset({"subprocess", "os", "pty", "asyncio", "posix", "_posixsubprocess"})
STARTS = frozenset(
    [
        "run",
        "call",
        "check_call",
        "check_output",
        "Popen",
        "getoutput",
        "getstatusoutput",
        "system",
        "popen",
        "spawn",
        "spawnl",
        "spawnv",
        "spawnlp",
        "spawnvp",
        "execl",
        "execv",
        "execvp",
        "execlp",
        "posix_spawn",
        "create_subprocess_exec",
        "create_subprocess_shell",
        "fork",
        "forkpty",
        "fork_exec",
    ]
)


LOOKERS = frozenset(
    {"getattr", "getattr_static", "__getattribute__", "vars", "partial", "reduce", "getitem", "attrgetter"}
    | {"methodcaller", "get_objects", "get_referrers", "get_referents", "__subclasses__", "getmembers", "find_class"}
    | {"getclosurevars", "Unpickler", "_getattribute", "setprofile", "settrace", "_current_frames", "CodeType"}
    | {"FunctionType", "resolve_dotted_attribute"}
)
"""Last names of callables that look something up."""

SPACES = frozenset({"modules", "__dict__", "__globals__", "f_globals", "f_builtins", "f_locals", "__builtins__"})
"""Attributes that are namespaces."""


WEAK = (IMPORTERS | EXECUTORS | STARTS | {"get", "pop", "setdefault", "values", "items", "load", "loads", "copy"}) - {
    "__import__",
    "import_module",
    "_gcd_import",
    "find_spec",
    "find_loader",
    "get_loader",
    "load_module",
    "run_module",
    "run_string",
    "PyRun_SimpleString",
    "exec",
    "eval",
}
"""Names that other methods have too: who owns them decides."""


def matters(path: str) -> bool:
    """Say whether the library callable at `path` imports, runs or looks something up."""
    if path.rpartition(".")[2] in LOOKERS or is_importer(path) or is_executor(path) or starts_process(path):
        return True
    return path.startswith(("pickle.", "_pickle.", "marshal.", "sys.modules", "gc.")) or path == "builtins.map"


def is_importer(path: str) -> bool:
    """Say whether the library callable at `path` takes a module's name."""
    return path.rpartition(".")[2] in IMPORTERS and path.partition(".")[0] in sys.stdlib_module_names


def is_executor(path: str) -> bool:
    """Say whether the library callable at `path` runs the text that it is handed."""
    return path.rpartition(".")[2] in EXECUTORS and path.partition(".")[0].rstrip("()") in _RUN_TEXT


def starts_process(path: str) -> bool:
    """Say whether the library callable at `path` starts another program."""
    return path.rpartition(".")[2] in STARTS and path.partition(".")[0] in _PROCESSES and path != "asyncio.run"


def module_named(text: str) -> str:
    """Give the dotted path that a text names, in the spellings of importers (`copy:deepcopy`, `ext://copy.copy`)."""
    found = re.fullmatch(r"(?:[a-z]+://)?([\w.]+)(?::([\w.]+))?", text)
    return ".".join(part for part in found.groups() if part) if found else ""


def commands(text: str) -> list[str]:
    """Give the Python texts in a command: the whole, and what follows `-c`."""
    texts = [text]
    try:
        words = shlex.split(text)
    except ValueError:
        words = []
    return texts + [after for word, after in pairwise(words) if word == "-c"]


def pickled_names(data: bytes) -> list[str]:
    """Give the dotted names that a pickle would look up."""
    names: list[str] = []
    texts: list[str] = []
    try:
        for code, argument, _ in pickletools.genops(io.BytesIO(data)):
            if code.name in {"GLOBAL", "INST"}:
                names.append(str(argument).replace(" ", "."))
            elif code.name == "STACK_GLOBAL":
                names.append(".".join(texts[-2:]))
            elif isinstance(argument, str):
                texts.append(argument)
    except Exception:  # noqa: BLE001  # a broken pickle simply ends here
        return names
    return names
