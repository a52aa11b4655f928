"""The one table of ways round a ban: library names by which a module is reached without an import statement."""

from __future__ import annotations

import sys
from typing import NamedTuple

IMPORTS, RUNS, READS, SEARCHES, STARTS, HIDES = "imports", "runs", "reads", "searches", "starts", "hides"


class Way(NamedTuple):
    """What a library callable does for whoever wants round the ban."""

    kind: str
    names: str
    """Last names of the callables."""
    heads: str = ""
    """The library's modules in which they mean this; empty for all."""
    words: str = ""
    """Said after "This" of a use that can't be decided; empty where nothing is said."""


_WAYS = (
    Way(IMPORTS, "__import__ import_module _gcd_import _find_and_load", "", "imports a name that can't be read"),
    Way(IMPORTS, "load_module run_module run_path find_spec find_loader get_loader find_module resolve_name locate"),
    Way(IMPORTS, "safeimport loadTestsFromName loadTestsFromNames import_string find_class init_builtin EntryPoint"),
    Way(
        IMPORTS, "create_builtin get_source get_code spec_from_loader spec_from_file_location import_item ModuleSpec"
    ),
    Way(IMPORTS, "get_frozen_object _import_module load_source ResolverImport BaseConfigurator dictConfig _importer"),
    Way(IMPORTS, "SourceFileLoader SourcelessFileLoader _get_module"),
    Way(IMPORTS, "patch", "unittest mock"),
    Way(RUNS, "exec eval compile", "builtins", "runs a text that can't be read"),
    Way(RUNS, "timeit repeat Timer", "timeit"),
    Way(RUNS, "run runctx runcall runeval", "cProfile profile bdb pdb trace"),
    Way(RUNS, "runsource runcode push compile_command", "code codeop"),
    Way(
        RUNS, "run_string exec PyRun_SimpleString PyRun_String", "_xxsubinterpreters _interpreters concurrent ctypes"
    ),
    Way(READS, "getattr hasattr vars", "builtins"),
    Way(READS, "getattr_static _getattribute resolve_dotted_attribute __getattribute__ attrgetter methodcaller"),
    Way(READS, "getitem itemgetter"),
    Way(SEARCHES, "get_objects get_referrers get_referents", "gc", "goes through every object alive"),
    Way(SEARCHES, "__subclasses__", "", "goes through every class alive"),
    Way(STARTS, "run call check_call check_output Popen getoutput getstatusoutput", "subprocess", "starts a program"),
    Way(STARTS, "system popen spawn spawnl spawnv spawnlp spawnvp", "os posix pty", "starts a program"),
    Way(STARTS, "execl execv execvp execlp posix_spawn fork forkpty", "os posix pty", "goes on in another process"),
    Way(STARTS, "create_subprocess_exec create_subprocess_shell fork_exec", "", "starts a program"),
    Way(HIDES, "setprofile settrace _current_frames", "sys threading", "looks into the frames of library code"),
    Way(HIDES, "meta_path path_hooks", "sys", "changes how imports are found"),
    Way(HIDES, "pythonapi", "ctypes", "calls the interpreter's inside"),
    Way(HIDES, "loads load", "marshal", "runs code that can't be read"),
    Way(HIDES, "CodeType FunctionType", "types", "makes a function from code that can't be read"),
)
_CALLED: dict[str, list[Way]] = {}
for _way in _WAYS:
    for _name in _way.names.split():
        _CALLED.setdefault(_name, []).append(_way)

SAME = {
    "__subclasses__": "builtins.type.__subclasses__",
    "__import__": "builtins.__import__",
    "__builtins__": "builtins.__dict__",
    "f_builtins": "builtins.__dict__",
}
"""Attributes that are the same on whatever they are read."""


def way(path: str) -> Way | None:
    """Return what the library thing at `path` does, if it is a way."""
    found = _CALLED.get(path.rpartition(".")[2], ())
    top = path.partition(".")[0].partition("(")[0]
    is_library = top in sys.stdlib_module_names
    return next((w for w in found if (top in w.heads.split() if w.heads else is_library)), None)


ADVICE = {
    "itertools": "Write the loop: two nested `for` loops for `product`, a recursive function for `permutations`.",
    "copy": "Copy it with plain Python: `grid.copy()` or `[row[:] for row in grid]`.",
    "heapq": "Keep the list in order yourself: `min(queue)` and `queue.remove(…)` are enough for a maze.",
    "collections": "A list or dict does it: `queue.append(…)` and `queue.pop(0)`, `counts.get(key, 0)`.",
    "functools": "Write the loop, or keep results in a dict of your own.",
    "operator": "Write the expression, or a small function of your own.",
    "bisect": "Write the search: halve the range until one place is left.",
    "random": "Do without chance here: the same input must give the same answer.",
    "re": "Go through the text with `split`, `find` and a loop.",
    "os": "Files are opened with `open(name)`; nothing else of the machine is needed.",
    "sys": "Use `input()` and `print()`, and return from your functions.",
    "subprocess": "Call your own functions; no other program is needed.",
    "threading": "Do one step after the other; no thread is needed.",
    "numpy": "A list of lists and loops do it.",
    "networkx": "Keep the graph in a dict: each cell with the list of its neighbours.",
    "eval": "Read the value for what it is: `int(text)` for a number, a dict for names.",
    "exec": "Write the statements into your program.",
    "sorted": "Write the sort as a loop of your own.",
    "sum": "Add up in a loop.",
    "max": "Keep the largest so far in a loop.",
    "min": "Keep the smallest so far in a loop.",
}
"""Entry of a ban, or its module → what to do instead."""
