"""Finds where a program reaches a banned module: the step into it."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from grader.policy import library, sieve, sinks
from grader.policy.calls import arguments_of
from grader.policy.values import Bound, Defined, Group, Known, Pool, Thing, Values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.policy.desk import Desk
    from grader.policy.scopes import Scope
    from grader.policy.survey import Survey
    from grader.policy.trace import Trace

_DEPTH = 3


class Reach(NamedTuple):
    """One step from outside into what is banned."""

    node: ast.AST
    ban: str
    """The entry of the ban."""
    how: str
    """The step in one clause, with the code in back quotes."""


def reaches(desk: Desk, path: str) -> Iterator[Reach]:
    """Give every step into a banned module in one file."""
    trace = desk.trace(path)
    yield from _in_survey(trace, trace.survey, 0)


def _in_survey(trace: Trace, survey: Survey, depth: int) -> Iterator[Reach]:
    for statement, scope in survey.imports:
        yield from _in_import(trace, statement, survey)
        yield from _in_stars(trace, statement, scope, survey)
    for read, scope in sieve.reads(trace, survey):
        yield from _in_read(trace, read, scope)
    for call, scope in sieve.calls(trace, survey):
        yield from _in_call(trace, call, scope, depth)
    for note, scope in survey.notes:
        yield from _in_text(trace, str(note.value), scope, (note, "this annotation", depth))


def _in_import(trace: Trace, node: ast.Import | ast.ImportFrom, survey: Survey) -> Iterator[Reach]:
    for alias in node.names:
        if isinstance(node, ast.Import):
            home, name = alias.name, ""
        else:
            home, name = library.absolute(node.module or "", node.level, survey.package), alias.name
        if trace.desk.own(home, trace.path)[0] is not None:
            continue
        path = library.resolve(home if name in {"", "*"} else f"{home}.{name}")
        ban = trace.desk.is_banned(path)
        if not ban:
            continue
        if trace.desk.is_banned(home) or path == f"{home}.{name}":
            yield Reach(alias, ban, f"`{_statement(node, alias)}` brings in {_what(ban, path)}")
        else:
            yield Reach(alias, ban, f"`{name}` in `{home}` is {_what(ban, path)}")


def _statement(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    if isinstance(node, ast.Import):
        return f"import {alias.name}"
    return f"from {'.' * node.level}{node.module or ''} import {alias.name}"


def _what(ban: str, path: str) -> str:
    kind = "module" if library.is_module(ban) else "name"
    return f"the banned {kind} `{ban}`" if path == ban else f"`{path}` of the banned {kind} `{ban}`"


def _in_stars(trace: Trace, node: ast.AST, scope: Scope, survey: Survey) -> Iterator[Reach]:
    if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
        return
    home = library.absolute(node.module or "", node.level, survey.package)
    brought = {name: trace.desk.is_banned(library.resolve(f"{home}.{name}")) for name in _star_names(trace, home)}
    for name in ast.walk(survey.scope.node) if any(brought.values()) else ():
        if isinstance(name, ast.Name) and brought.get(name.id) and scope.module.find(name.id) is None:
            how = f"`{name.id}` comes from `from {home} import *` and is {_what(brought[name.id], brought[name.id])}"
            yield Reach(name, brought[name.id], how)
            return


def _star_names(trace: Trace, home: str) -> frozenset[str]:
    if trace.desk.own(home, trace.path)[0] is not None or not library.is_module(home) or trace.desk.is_banned(home):
        return frozenset()
    return library.public(home)


def _in_read(trace: Trace, node: ast.Attribute | ast.Subscript, scope: Scope) -> Iterator[Reach]:
    values = trace.values(node, scope)
    ban, path = _banned(trace, values)
    if not ban:
        return
    bases = trace.values(node.value, scope)
    if _banned(trace, bases)[0]:
        return
    base = next((value for value in bases if isinstance(value, Thing)), None)
    if isinstance(node, ast.Attribute) and base is not None:
        shown = _short(node.value)
        step = (
            f"`{shown}.{node.attr}` is"
            if shown == base.path
            else f"`{shown}` is `{base.path}`, whose attribute `{node.attr}` is"
        )
        yield Reach(node, ban, f"{step} {_what(ban, path)}")
    else:
        yield Reach(node, ban, f"`{_short(node)}` is {_what(ban, path)}")


def _in_call(trace: Trace, node: ast.Call, scope: Scope, depth: int) -> Iterator[Reach]:
    functions = trace.values(node.func, scope)
    if _banned(trace, functions)[0]:
        return
    arguments, words = arguments_of(trace, node, scope)
    everything = [*arguments, *words.values()]
    own = functions and all(isinstance(function, Defined) for function in functions)
    if not own and not any(_banned(trace, values)[0] for values in everything):
        ban, path = _banned(trace, trace.values(node, scope))
        if ban:
            yield Reach(node, ban, f"`{_short(node)}` comes out as {_what(ban, path)}")
            return
    yield from _in_executed(trace, node, scope, (functions, everything, depth))
    yield from _in_pool(trace, node, scope)


def _in_executed(
    trace: Trace, node: ast.Call, scope: Scope, found: tuple[Values, list[Values], int]
) -> Iterator[Reach]:
    functions, everything, depth = found
    callables = [v.function if isinstance(v, Bound) else v for vs in (functions, *everything) for v in vs]
    paths = [value.path for value in callables if isinstance(value, Thing)]
    bound = [vs for v in functions if isinstance(v, Bound) for vs in v.arguments]
    texts = [text for values in (*bound, *everything) for value in values for text in texts_in(value)]
    if any(sinks.is_executor(path) for path in paths):
        for text in texts:
            yield from _in_text(trace, text, scope, (node, "the text that is executed here", depth))
    elif any(sinks.starts_process(path) for path in paths):
        for command in (command for text in texts for command in sinks.commands(text)):
            yield from _in_text(trace, command, scope, (node, "the program that is started here", depth))
    elif any(path.startswith(("pickle.", "_pickle.")) for path in paths):
        for name in (name for vs in everything for v in vs for name in _pickled(v)):
            ban = trace.desk.is_banned(library.resolve(name))
            if ban:
                yield Reach(node, ban, f"the pickle that is loaded here brings in {_what(ban, name)}")


def texts_in(value: object) -> list[str]:
    """Give every text in a value, however it is packed."""
    if isinstance(value, Known):
        return texts_in(value.value)
    if isinstance(value, Group):
        return [text for member in value.members for v in member for text in texts_in(v)]
    if type(value) is tuple:  # and no other value of the trace, which are named tuples
        return [text for part in value[:200] for text in texts_in(part)]
    if isinstance(value, bytes):
        return [value.decode("utf-8", "replace")]
    return [value] if isinstance(value, str) else []


def _pickled(value: object) -> list[str]:
    data = value.value if isinstance(value, Known) else None
    return sinks.pickled_names(data) if isinstance(data, bytes) else []


def _in_text(trace: Trace, text: str, scope: Scope, place: tuple[ast.AST, str, int]) -> Iterator[Reach]:
    """Scan a text that the program executes, in turn."""
    node, who, depth = place
    survey = trace.desk.survey_text(trace, text, scope) if depth < _DEPTH and len(text) > 3 else None
    if survey is None:
        return
    for reach in _in_survey(trace, survey, depth + 1):
        yield Reach(node, reach.ban, f"in {who}, {reach.how}")
        return


def _in_pool(trace: Trace, node: ast.Call, scope: Scope) -> Iterator[Reach]:
    pools = [value for value in trace.values(node, scope) if isinstance(value, Pool)]
    if not pools or any(isinstance(v, Pool) for v in trace.values(node.func, scope)):
        return
    for word in _compared(trace.survey.scope.node, node):
        for ban in trace.desk.banned:
            if word in _members(ban):
                yield Reach(node, ban, f"`{pools[0].way}` goes through everything alive to pick out `{ban}.{word}`")
                return


def _compared(tree: ast.AST, node: ast.Call) -> set[str]:
    """Give the texts that are compared in the smallest statement around a call."""
    around = [
        statement
        for statement in ast.walk(tree)
        if isinstance(statement, ast.stmt) and statement.lineno <= node.lineno <= (statement.end_lineno or 0)
    ]
    if not around:
        return set()
    smallest = min(around, key=lambda s: ((s.end_lineno or 0) - s.lineno, -s.col_offset))
    tests = [part for part in ast.walk(smallest) if isinstance(part, ast.Compare)]
    texts = [text for test in tests for text in ast.walk(test) if isinstance(text, ast.Constant)]
    return {text.value for text in texts if isinstance(text.value, str)}


@cache
def _members(ban: str) -> frozenset[str]:
    """Give the telling names of a banned module of the library."""
    if not library.is_module(ban):
        return frozenset({ban.rpartition(".")[2]})
    return frozenset(name for name in dir(importlib.import_module(ban)) if not name.startswith("_"))


def _banned(trace: Trace, values: Values) -> tuple[str, str]:
    for value in values:
        if isinstance(value, Thing):
            ban = trace.desk.is_banned(value.path)
            if ban:
                return ban, value.path.removesuffix("()")
        if isinstance(value, Group):
            found = _banned(trace, tuple(v for member in value.members[:50] for v in member))
            if found[0]:
                return found
    return "", ""


def _short(node: ast.AST) -> str:
    try:
        text = " ".join(ast.unparse(node).split())
    except (RecursionError, ValueError):
        return "…"
    return text if len(text) <= 60 else f"{text[:57]}…"
