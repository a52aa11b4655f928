"""Traces what a call may give back: importers, getters, pure functions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from grader.policy import folding, sinks
from grader.policy.members import attribute_of, elements, imported, item
from grader.policy.steps import gather
from grader.policy.values import HOLE, Bound, Defined, Group, Known, Pool, Space, Thing, Value, Values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from grader.policy.scopes import Scope
    from grader.policy.trace import Trace

Arguments = list[Values]
Words = dict[str, Values]
_COMBINATIONS = 6
_POOLS = frozenset(
    {"gc.get_objects", "gc.get_referrers", "gc.get_referents"}
    | {"builtins.type.__subclasses__", "builtins.object.__subclasses__"}
)


def call(trace: Trace, node: ast.Call, scope: Scope) -> Values:
    """Give what a call may give back."""
    arguments, words = arguments_of(trace, node, scope)
    found: list[Value] = []
    functions = trace.values(node.func, scope)
    for function in functions:
        found += apply(trace, function, arguments, words)
    texts = [v for values in arguments[:1] for v in values if isinstance(v, Known) and isinstance(v.value, str)]
    if any(f == Thing("builtins.eval") for f in functions):
        found += [v for text in texts for v in trace.desk.evaluate(trace, str(text.value), scope)]
    if not found:
        found += trampoline(trace, [*arguments, *words.values()])
    return tuple(found)


def arguments_of(trace: Trace, node: ast.Call, scope: Scope) -> tuple[Arguments, Words]:
    """Give what each argument may be, with `*` and `**` spread out."""
    arguments: Arguments = []
    for argument in node.args:
        values = trace.values(argument, scope)
        if isinstance(argument, ast.Starred):
            arguments += [element for value in values[:1] for element in elements(value)]
        else:
            arguments.append(values)
    words: Words = {}
    for word in node.keywords:
        values = trace.values(word.value, scope)
        if word.arg:
            words[word.arg] = values
        for value in values if not word.arg else ():
            if isinstance(value, Group):
                words |= {str(key): member for key, member in zip(value.keys, value.members, strict=False)}
    return arguments, words


def apply(trace: Trace, function: Value, arguments: Arguments, words: Words) -> Values:
    """Give what calling `function` on these arguments gives back."""
    if isinstance(function, Thing):
        return _apply_thing(trace, function.path, arguments, words)
    if isinstance(function, Bound):
        return _apply_bound(trace, function, arguments, words)
    if isinstance(function, Defined):
        return trace.returned(function, arguments, words)
    return (function,) if isinstance(function, Pool) else ()


def trampoline(trace: Trace, arguments: Arguments) -> Values:
    """Give what comes of an importer that is handed to someone else together with its argument."""
    for place, values in enumerate(arguments):
        for value in values:
            path = value.path if isinstance(value, Thing) else ""
            if sinks.is_importer(path) or path == "builtins.getattr":
                rest = [member for other in arguments[:place] + arguments[place + 1 :] for member in _spread(other)]
                return tuple(v for member in rest for v in apply(trace, value, [member], {}))
    return ()


def _spread(values: Values) -> list[Values]:
    return [values, *(element for value in values for element in elements(value)[:50])]


def _apply_thing(trace: Trace, path: str, arguments: Arguments, words: Words) -> Values:
    special = _SPECIAL.get(path.removeprefix("_"))
    if special is not None:
        return special(trace, arguments)
    if path in _POOLS:
        return (Pool(path),)
    everything = [*arguments, *words.values()]
    if path.startswith("sys.modules."):
        return _apply_bound(trace, Bound(Thing("sys.modules"), (), path.rpartition(".")[2]), arguments, words)
    if sinks.is_importer(path) and not _open(trace, path, everything):
        found = tuple(v for values in everything for text in _texts(values) for v in _import(trace, text))
        if found:
            return found
    if folding.is_pure(path):
        return tuple(Known(folding.call(path, chosen)) for chosen in _choices(arguments))
    return _open(trace, path, everything) or trampoline(trace, everything) or (Thing(f"{path}()"),)


def _import(trace: Trace, text: str) -> Values:
    name = sinks.module_named(text)
    return imported(trace, name) if name else ()


def _texts(values: Values) -> list[str]:
    return [value.value for value in values if isinstance(value, Known) and isinstance(value.value, str)]


def _choices(arguments: Arguments) -> Iterator[list[Any]]:
    """Go through the combinations of what the arguments may be; an unknown one ends it."""
    if not all(arguments):
        raise ValueError
    count = min(max((len(values) for values in arguments), default=1), _COMBINATIONS)
    for turn in range(count):
        chosen = [values[min(turn, len(values) - 1)] for values in arguments]
        yield [plain(value) for value in chosen]


def plain(value: Value) -> object:
    """Give a value as the constant that it is; a member that isn't known becomes a hole."""
    if isinstance(value, Known):
        return value.value
    if isinstance(value, Group) and not value.keys:
        return tuple(
            plain(member[0]) if member and isinstance(member[0], Known) else HOLE for member in value.members
        )
    if isinstance(value, Group) and all(member and isinstance(member[0], Known) for member in value.members):
        return dict(zip(value.keys, (plain(member[0]) for member in value.members), strict=False))
    raise ValueError


def _apply_bound(trace: Trace, bound: Bound, arguments: Arguments, words: Words) -> Values:
    base, name = bound.function, bound.method
    if not name:
        return apply(trace, base, [*bound.arguments, *arguments], words)
    if name in {"get", "pop", "__getitem__", "setdefault"} and not isinstance(base, Known):
        return tuple(v for key in (arguments[0] if arguments else ()) for v in item(trace, base, key))
    if isinstance(base, Bound) and base.method == "open":
        return _read(base, name)
    if isinstance(base, Known) and isinstance(base.value, str) and name in {"read_text", "read_bytes", "open"}:
        text = trace.desk.text_of(base.value)
        return () if text is None else ((Bound(Known(text), (), "open"),) if name == "open" else (Known(text),))
    if isinstance(base, Group) and name in {"values", "copy", "items"}:
        return (Group(base.members),)
    value = plain(base)
    if name == "join":
        arguments = [tuple(Known(_as_texts(plain(v), value)) for v in values) for values in arguments]
    chosen_words = {key: plain(values[0]) if values else HOLE for key, values in words.items()}
    filled = [values or (Known(HOLE),) for values in arguments] if name in {"format", "replace"} else arguments
    return tuple(Known(folding.method(value, name, chosen, chosen_words)) for chosen in _choices(filled))


def _as_texts(parts: object, glue: object) -> object:
    return tuple(parts) if isinstance(parts, tuple | str) and isinstance(glue, str) else parts


def _read(file: Bound, name: str) -> Values:
    text = plain(file.function)
    assert isinstance(text, str)
    lines = text.splitlines(keepends=True)
    if name == "read":
        return (Known(text),)
    if name == "readline":
        return tuple(Known(line) for line in lines[:1])
    return (Known(tuple(lines)),) if name == "readlines" else ()


def _open(trace: Trace, path: str, arguments: Arguments) -> Values:
    """Follow a call that is handed the path of a banned module's own file, or opens a file of the submission."""
    for values in arguments:
        for text in _texts(values):
            banned = trace.desk.library_file(text)
            if banned:
                return (Thing(banned),)
    if path in {"builtins.open", "io.open", "codecs.open"} and arguments:
        texts = [trace.desk.text_of(text) for text in _texts(arguments[0])]
        return tuple(Bound(Known(text), (), "open") for text in texts if text is not None)
    return ()


def _getattr(trace: Trace, arguments: Arguments) -> Values:
    bases, names = arguments[0], _texts(arguments[1])
    found = [v for base in bases for name in names for part in [name.split(".")] for v in _along(trace, base, part)]
    if not bases and "__import__" in names:
        found.append(Thing("builtins.__import__"))
    return tuple(found)


def _along(trace: Trace, base: Value, names: list[str]) -> Values:
    values: Values = (base,)
    for name in names:
        values = tuple(v for value in values for v in attribute_of(trace, value, name))
    return values


def _vars(_: Trace, arguments: Arguments) -> Values:
    spaces = [Space(v.path) for values in arguments[:1] for v in values if isinstance(v, Thing)]
    return tuple(spaces)


def _getter(_: Trace, arguments: Arguments) -> Values:
    return (Bound(Thing("operator.attrgetter()"), (arguments[0],)),)


def _got(trace: Trace, arguments: Arguments) -> Values:
    return _getattr(trace, [arguments[1], arguments[0]])


def _partial(_: Trace, arguments: Arguments) -> Values:
    return tuple(Bound(function, tuple(arguments[1:])) for function in arguments[0])


def _map(trace: Trace, arguments: Arguments) -> Values:
    parts = [element for source in arguments[1][:2] for element in elements(source)]
    results = [tuple(v for f in arguments[0] for v in apply(trace, f, [element], {})) for element in parts]
    return (gather(results),) if results else ()


def _reduce(trace: Trace, arguments: Arguments) -> Values:
    steps = [element for source in arguments[1][:1] for element in elements(source)]
    result = arguments[2] if len(arguments) > 2 else steps.pop(0)
    for element in steps[:200]:
        result = tuple(v for function in arguments[0] for v in apply(trace, function, [result, element], {}))
    return result


def _getitem(trace: Trace, arguments: Arguments) -> Values:
    return tuple(v for base in arguments[0] for key in arguments[1] for v in item(trace, base, key))


def _next(_: Trace, arguments: Arguments) -> Values:
    return tuple(v for source in arguments[0] for element in elements(source)[:8] for v in element)


def _same(_: Trace, arguments: Arguments) -> Values:
    return arguments[0] if arguments else ()


_SPECIAL: dict[str, Callable[[Trace, Arguments], Values]] = {
    "builtins.getattr": _getattr,
    "xmlrpc.server.resolve_dotted_attribute": _getattr,
    "pickle._getattribute": _getattr,
    "inspect.getattr_static": _getattr,
    "builtins.object.__getattribute__": _getattr,
    "types.ModuleType.__getattribute__": _getattr,
    "builtins.vars": _vars,
    "functools.partial": _partial,
    "builtins.map": _map,
    "functools.reduce": _reduce,
    "operator.attrgetter": _getter,
    "operator.methodcaller": _getter,
    "operator.attrgetter()": _got,
    "operator.getitem": _getitem,
    "builtins.next": _next,
    "builtins.iter": _same,
    "builtins.staticmethod": _same,
    "importlib.reload": _same,
    "importlib.util.module_from_spec": _same,
    "importlib.util.LazyLoader": _same,
    "types.SimpleNamespace": lambda *_: (),
    "builtins.globals": lambda *_: (),
    "builtins.locals": lambda *_: (),
}
