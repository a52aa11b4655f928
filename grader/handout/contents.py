"""What a students' kit has inside: the assignment and its visible cases, without what stays with the course.

Importing a withheld module works, and so does asking it what it was asked about the visible cases (answers.py).
Where an explanation needs more, only the difference is told.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import json
import sys
from functools import wraps
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import msgspec

import grader
from grader.handout.answers import answering
from grader.judge.registry import expect_struct, find
from grader.model.assignment import Assignment, Case
from grader.model.kit import WithheldError
from grader.model.plain_kit import plain_kit
from grader.model.result import Mismatch
from grader.model.run import File, How
from grader.pipeline.prepare import Prepared
from grader.pipeline.speed import stretched

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Sequence

    from grader.handout.answers import Table
    from grader.model.assignment import Kind
    from grader.model.kit import Divergence

DATA, ANSWERS = "kit.json", "answers.json"
STAND_INS = frozenset({"msgspec", "hypothesis"})
"""Installed packages that a kit may import though a student has none: one is replaced, one is for hunts alone."""


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
    sys.meta_path.insert(0, Withheld((*data["withheld"], "hypothesis"), table))
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
