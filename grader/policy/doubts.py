"""Finds what the trace can't decide: notes for staff."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import library, sieve, sinks
from grader.policy.calls import arguments_of
from grader.policy.parse import parse_text
from grader.policy.reach import texts_in
from grader.policy.trace import STEPS
from grader.policy.values import HOLE, Defined, Known, Own, Thing, Values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.desk import Desk
    from grader.policy.scopes import Scope
    from grader.policy.trace import Trace

_CALLS = {
    "gc.get_objects": "goes through every object alive",
    "gc.get_referrers": "goes through every object alive",
    "gc.get_referents": "goes through every object alive",
    "sys.setprofile": "looks into the frames of library code",
    "sys.settrace": "looks into the frames of library code",
    "threading.setprofile": "looks into the frames of library code",
    "threading.settrace": "looks into the frames of library code",
    "sys._current_frames": "looks into the frames of library code",
    "marshal.loads": "runs code that can't be read",
    "marshal.load": "runs code that can't be read",
    "types.CodeType": "makes code that can't be read",
    "types.FunctionType": "makes a function from code that can't be read",
    "os.fork": "goes on in another process",
    "inspect.getclosurevars": "looks into the names of library code",
}
_READS = {
    "f_globals": "looks into another frame's names",
    "f_locals": "looks into another frame's names",
    "meta_path": "changes how imports are found",
    "path_hooks": "changes how imports are found",
    "pythonapi": "calls the interpreter's inside",
}
_NAMED_IMPORTS = frozenset(
    {"__import__", "import_module", "find_spec", "run_module", "load_module", "run_path", "_gcd_import"}
)
_STORES = {"__code__": "swaps a function's code", "__import__": "replaces the import itself"}


class Doubt(NamedTuple):
    node: ast.AST
    what: str


def doubts(desk: Desk, path: str) -> Iterator[Doubt]:
    """Give what staff may want to look at in one file."""
    trace = desk.trace(path)
    for store in trace.survey.stores:
        if store.attr in _STORES:
            yield Doubt(store, f"sets `{store.attr}`, which {_STORES[store.attr]}")
    for read, scope in sieve.reads(trace, trace.survey):
        what = _read(trace, read, scope)
        if what:
            yield Doubt(read, what)
    for call, scope in sieve.calls(trace, trace.survey):
        what = _call(trace, call, scope)
        if what:
            yield Doubt(call, what)
    yield from _doctests(desk, trace)
    if trace.steps > STEPS:
        yield Doubt(ast.Pass(lineno=1, col_offset=0), "is too tangled to be followed to its end")


def _read(trace: Trace, node: ast.Attribute | ast.Subscript, scope: Scope) -> str:
    if isinstance(node, ast.Subscript):
        modules = Thing("sys.modules") in trace.values(node.value, scope)
        return (
            "takes a module out of `sys.modules` by a name that can't be read"
            if modules and not trace.values(node, scope)
            else ""
        )
    if node.attr in _READS:
        return f"uses `{node.attr}`, which {_READS[node.attr]}"
    if node.attr == "__globals__" and not trace.values(node.value, scope):
        return "looks into the names of library code"
    if node.attr in {"__subclasses__", "__code__"}:
        return _on_types(trace, node, scope)
    return ""


def _on_types(trace: Trace, node: ast.Attribute, scope: Scope) -> str:
    bases = trace.values(node.value, scope)
    if node.attr == "__code__" or any(isinstance(base, Defined | Own) for base in bases):
        return ""
    return "goes through every class alive"


def _call(trace: Trace, node: ast.Call, scope: Scope) -> str:
    paths = [value.path for value in trace.values(node.func, scope) if isinstance(value, Thing)]
    arguments, words = arguments_of(trace, node, scope)
    everything = [*arguments, *words.values()]
    for path in paths:
        if path in _CALLS:
            return f"calls `{path}`, which {_CALLS[path]}"
        if path.startswith("sys.modules.") and path.endswith((".values", ".items", ".copy")):
            return "goes through every module loaded"
        if path.rpartition(".")[2] in _NAMED_IMPORTS and sinks.is_importer(path) and _is_open(everything):
            return f"imports by `{path.rpartition('.')[2]}` a name that can't be read"
        if path in {"builtins.exec", "builtins.eval", "builtins.compile"} and not _texts(arguments[:1]):
            return f"runs by `{path.rpartition('.')[2]}` a text that can't be read"
        if sinks.starts_process(path) and not _is_plain_python(everything):
            return f"starts another program by `{path}`"
        if path in {"builtins.getattr", "builtins.vars", "inspect.getmembers"} and _searches(trace, path, arguments):
            return f"searches by `{path.rpartition('.')[2]}` a module that holds banned ones"
    return ""


def _texts(arguments: list[Values]) -> list[str]:
    return [text for values in arguments for value in values for text in texts_in(value)]


def _is_open(arguments: list[Values]) -> bool:
    """Say whether the name of the module isn't known; a known package around an unknown part is enough."""
    texts = _texts(arguments)
    return not texts or all(HOLE in text.partition(".")[0] for text in texts)


def _is_plain_python(arguments: list[Values]) -> bool:
    texts = _texts(arguments)
    if texts and all(map(_is_known, arguments)) and not any(HOLE in text or "python" in text for text in texts):
        return True
    after = [text for flag, text in pairwise(texts) if flag == "-c"]
    return bool(after) and HOLE not in after[0] and parse_text(after[0]) is not None


def _is_known(values: Values) -> bool:
    """Say whether an argument is plain throughout."""
    return len(values) == 1 and isinstance(values[0], Known)


def _searches(trace: Trace, path: str, arguments: list[Values]) -> bool:
    if path == "builtins.getattr" and (len(arguments) < 2 or _texts(arguments[1:2])):
        return False
    modules = [
        v.path for values in arguments[:1] for v in values if isinstance(v, Thing) and library.is_module(v.path)
    ]
    targets = [target for module in modules for target in library.exports(module).values()]
    return any(trace.desk.is_banned(target) for target in targets)


def _doctests(desk: Desk, trace: Trace) -> Iterator[Doubt]:
    text = desk.sources[trace.path].text
    if ">>>" not in text:
        return
    tops = "|".join(re.escape(name.partition(".")[0]) for name in desk.banned)
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(rf"\s*>>>\s*(?:from|import)\s+(?:{tops})\b", line):
            yield Doubt(ast.Pass(lineno=number, col_offset=len(line) - len(line.lstrip())), "imports it in a doctest")
            return
