"""Answers of withheld modules about the visible cases, as data: explanations and drawings need nothing else of them.

A kit names the calls (`Lending` in grader/model/kit.py). In the students' kit the same call of the same function is
answered from the table; any other raises WithheldError.
"""

from __future__ import annotations

import enum
import hashlib
import importlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from grader.model.kit import Lending, WithheldError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from grader.pipeline.prepare import Prepared

Table = dict[str, dict[str, Any]]
"""Function → digest of its arguments → its answer."""
_PLAIN = (bool, int, float, str, type(None))
_KINDS: dict[str, Callable[[Any], Any]] = {
    "list": list,
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "iter": iter,
}


def answers_about(cases: Iterable[Prepared]) -> Table:
    """Ask the kits for the calls that each puzzle needs, and make them."""
    table: Table = {}
    for prepared in cases:
        if isinstance(prepared.kit, Lending):
            for function, arguments in prepared.kit.lent(prepared.puzzle):
                known = table.setdefault(f"{function.__module__}:{function.__name__}", {})
                known[_digest(arguments)] = packed(function(*arguments))
    return table


def answering(name: str, table: Table) -> Callable[..., Any]:
    """Stand in for a withheld function."""

    def answer(*arguments: Any) -> Any:
        known = table.get(name, {})
        place = _digest(arguments) if known else ""
        if place not in known:
            raise WithheldError(name)
        return unpacked(known[place])

    return answer


def packed(value: Any) -> Any:
    """Write a value as JSON that says of what type it is; a tuple is a plain list."""
    if isinstance(value, enum.Enum):
        return {"$": _path(value), "of": value.value}
    if isinstance(value, _PLAIN):
        return value
    fields = getattr(value, "__struct_fields__", None) or getattr(value, "_fields", None)
    if fields is not None:
        return {"$": _path(value), "with": {name: packed(getattr(value, name)) for name in fields}}
    if isinstance(value, dict):
        return {"$": "dict", "of": [[packed(key), packed(item)] for key, item in value.items()]}
    items = [packed(item) for item in value]
    if isinstance(value, set | frozenset):
        items.sort(key=json.dumps)
    kind = "iter" if isinstance(value, Iterator) else type(value).__name__
    return {"$": kind, "of": items} if kind in _KINDS else items


def unpacked(data: Any) -> Any:
    """Build the value again."""
    if isinstance(data, list):
        return tuple(unpacked(item) for item in data)
    if not isinstance(data, dict):
        return data
    kind = data["$"]
    if kind in _KINDS:
        return _KINDS[kind](map(unpacked, data["of"]))
    module, _, name = kind.partition(":")
    made = getattr(importlib.import_module(module), name)
    return made(data["of"]) if "of" in data else made(**{key: unpacked(item) for key, item in data["with"].items()})


def _path(value: Any) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _digest(arguments: tuple[Any, ...]) -> str:
    text = json.dumps([packed(argument) for argument in arguments], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
