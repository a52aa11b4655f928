"""Finds a kit by its import path or entry point, then builds it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from typing import TYPE_CHECKING, Any

from grader.catalogue.words import did_you_mean
from grader.errors import CatalogueError, Fault, GraderError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoint
    from pathlib import Path

    from grader.model.assignment import Kind
    from grader.model.kit import Kit

KITS = "maze_grader.kits"
JUDGES = ("transcript", "path", "value", "moves", "play", "stdout", "claim")

_PARTS = ("parse", "write", "solve", "expect", "read", "check", "puzzles", "draw")


class KitError(GraderError):
    """The kit or judge can't be had as the assignment asks."""

    exit_status = 3


def offer_kits(course: Path) -> None:
    """Let kits that lie beside the catalogue be imported, after everything that is installed."""
    place = str(course.resolve())
    if place not in sys.path:
        sys.path.append(place)


def kit_of(kind: Kind) -> Kit:
    """Build the kit of a kind; CatalogueError when that is impossible."""
    try:
        return build_kit(kind.kit, kind.rules)
    except KitError as error:
        raise CatalogueError([Fault(message=error.message, hint=error.hint)]) from error


def build_kit(name: str, rules: Mapping[str, Any]) -> Kit:
    """Import the kit's module and call its factory with the rules; KitError says why it can't be."""
    found = _module(name, "kit")
    factory = found if callable(found) else getattr(found, "kit", None)
    if not callable(factory):
        raise KitError(f"the kit {name} has no function kit", hint="a kit is a module with `def kit(**rules)`")
    try:
        kit = factory(**rules)
    except (TypeError, ValueError, KeyError) as error:
        given = ", ".join(f"{key}: {value}" for key, value in rules.items()) or "none"
        raise KitError(f"the kit {name} refuses its rules: {error}", hint=f"the rules given: {given}") from error
    except Exception as error:  # a kit is other people's code
        raise KitError(f"the kit {name} fails when it is built: {_told(error)}") from error
    lacking = [part for part in _PARTS if not callable(getattr(kit, part, None))]
    if lacking:
        raise KitError(
            f"the kit {name} lacks {', '.join(lacking)}", hint="see grader/model/kit.py for what a kit has"
        )
    built: Kit = kit
    return built


def solvers_of(kind: Kind) -> tuple[str, ...]:
    """Name the modules that the kit solves with; none when it doesn't tell."""
    found = _module(kind.kit, "kit")
    module = found if not callable(found) else sys.modules[found.__module__]
    return tuple(getattr(module, "SOLVERS", ()))


def find_judge(name: str) -> None:
    """Check that the judge exists; KitError says why not."""
    if name in JUDGES:
        return
    if "." not in name:
        raise KitError(f"there is no judge {name}", hint=did_you_mean(name, JUDGES))
    module = _module(name, "judge")
    if not callable(getattr(module, "judge", None)):
        raise KitError(f"the judge {name} has no function judge", hint="a judge is a module with `def judge(trial)`")


def _module(name: str, what: str) -> Any:
    try:
        if what == "kit" and not _is_module(name) and name in _entries():
            return _entries()[name].load()
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            raise KitError(f"there is no {what} {name}", hint=did_you_mean(name, _known(name))) from error
        raise KitError(f"the {what} {name} can't be imported: {_told(error)}") from error
    except Exception as error:  # a kit is other people's code
        raise KitError(f"the {what} {name} can't be imported: {_told(error)}") from error


def _is_module(name: str) -> bool:
    """Tell whether a dotted name leads to a module, without the long look at everything that is installed."""
    try:
        return "." in name and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@functools.cache
def _entries() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import, and a module's name needs none

    return {entry.name: entry for entry in entry_points(group=KITS)}


def _known(name: str) -> list[str]:
    """Name the entry points, and the modules beside the one that was asked for."""
    names = list(_entries())
    parent = name.rpartition(".")[0]
    try:
        spec = importlib.util.find_spec(parent) if parent else None
    except (ImportError, ValueError):
        spec = None
    if spec and spec.submodule_search_locations:
        names += [f"{parent}.{module.name}" for module in pkgutil.iter_modules(spec.submodule_search_locations)]
    return names


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
