"""What a students' kit has inside: the assignment and its visible cases, without what stays with the course.

Importing a withheld module works, and so does asking it what it was asked about the visible cases when the kit was
packed: a kit names those calls (`lent` in grader/model/kit.py), and their answers travel as data. Where it needs
more, an explanation gives the difference alone.
"""

from __future__ import annotations

import enum
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import sys
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec

import grader
from grader.judge.registry import expect_struct, find
from grader.model.assignment import Assignment, Case
from grader.model.kit import Lending, WithheldError
from grader.model.plain_kit import plain_kit
from grader.model.result import Mismatch
from grader.model.run import File, How
from grader.pipeline.prepare import Prepared
from grader.pipeline.speed import stretched

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterable, Sequence

    from grader.model.assignment import Kind
    from grader.model.kit import Divergence

DATA, ANSWERS = "kit.json", "answers.json"

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


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """A kit that was unpacked."""

    assignment: Assignment
    cases: tuple[Prepared, ...]
    hidden: int
    """How many hidden cases there are."""


def open_kit() -> Contents:
    """Read the packed cases, and put stand-ins in the place of what is withheld."""
    folder = Path(grader.__file__).parents[1]
    data = json.loads((folder / DATA).read_text("utf-8"))
    table = json.loads((folder / ANSWERS).read_text("utf-8"))
    sys.meta_path.insert(0, Withheld(data["withheld"], table))
    for packed in data["cases"]:
        for key, name in packed["files"].items():
            packed["case"]["expect"][key] = str(folder / name)
    return Contents(
        assignment=msgspec.convert(data["assignment"], Assignment),
        cases=tuple(_prepared(packed) for packed in data["cases"]),
        hidden=data["hidden"],
    )


def _prepared(packed: dict[str, Any]) -> Prepared:
    case = msgspec.convert(packed["case"], Case)
    kit = released_kit(case.kind)
    if case.expect is not None:
        expect = msgspec.convert(case.expect, expect_struct(find(case.kind.judge), kit))
        case = msgspec.structs.replace(case, expect=expect)
    return Prepared(
        case=msgspec.structs.replace(case, limits=stretched(case.limits)),
        kit=kit,
        puzzle=None if kit is None else kit.parse(case.input),
        how=msgspec.convert(packed["how"], How),
        inputs=tuple(msgspec.convert(packed["inputs"], tuple[File, ...])),
    )


class Withheld(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Stands in for the modules that stay with the course."""

    def __init__(self, names: Sequence[str], table: Table) -> None:
        self._names = frozenset(names)
        self._table = table

    def find_spec(self, name: str, *_: Any) -> importlib.machinery.ModuleSpec | None:
        if not any(name == secret or name.startswith(f"{secret}.") for secret in self._names):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: types.ModuleType) -> None:
        def lookup(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return answering(f"{module.__name__}:{name}", self._table)

        module.__getattr__ = lookup  # type: ignore[method-assign]  # a module may have its own


def released_kit(kind: Kind) -> Any:
    """Build the released part of a kit, with what it has of check, explain and draw; None when nothing is here."""
    if not kind.kit:
        return None
    module, _, factory = kind.kit.partition(":")
    found = importlib.import_module(module)
    kit = getattr(found, factory)(**kind.rules) if factory else plain_kit(found)
    members = {name: getattr(kit, name) for name in dir(kit) if not name.startswith("__")}
    for name, fallback in _FALLBACKS.items():
        if name in members:
            members[name] = _careful(members[name], fallback)
    return SimpleNamespace(**members)


def _careful(function: Callable[..., Any], fallback: Callable[..., Any]) -> Callable[..., Any]:
    """Answer by the fallback where the function needs what isn't here."""

    @wraps(function)
    def answer(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except WithheldError:
            return fallback(*arguments)

    return answer


def _differs(_puzzle: Any, claim: Any, expect: Any) -> Mismatch:
    """Say what can be said without the solver: a right claim never needs it."""
    return Mismatch(kind="withheld", message=f"{_difference(claim, expect)}; the course's run explains why.")


def _plain(_puzzle: Any, divergence: Divergence) -> Mismatch:
    """Tell a difference without the kit."""
    value = "the returned value" + "".join(f"[{part!r}]" for part in divergence.where)
    place = value if divergence.index is None else f"frame {divergence.index}"
    return Mismatch(
        kind="difference",
        message=f"{place} differs from what is expected.",
        where=place,
        expected=_shown(divergence.expected),
        found=_shown(divergence.found),
        step=divergence.index,
    )


def _shown(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else repr(value)[:200]


def _difference(claim: Any, expect: Any) -> str:
    """Say what can be said without the solver: the first answer that differs."""
    wanted = [value for value in msgspec.to_builtins(expect).values() if isinstance(value, list | tuple)]
    if len(wanted) == 1 and isinstance(claim, list | tuple):
        for number, (want, got) in enumerate(zip(wanted[0], claim, strict=False), start=1):
            if want != got:
                return f"answer {number} is {got!r}, {want!r} was expected"
    return "your answer is not the expected one"


_FALLBACKS: dict[str, Callable[..., Any]] = {
    "check": _differs,
    "explain": _plain,
    "draw": lambda *_: None,
    "so_far": lambda *_: None,
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
