"""Finds a kit by its import path or entry point, then builds it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.errors import CatalogueError, Fault, GraderError
from grader.judge import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint
    from pathlib import Path
    from types import ModuleType

    from grader.model.assignment import Kind
    from grader.model.kit import Kit

KITS = "maze_grader.kits"

_READ: dict[tuple[int, str], tuple[Kit, Any]] = {}
"""What kits have read in this process; the kit stays beside it, so that no other gets its id."""
_MOST_READ = 2000


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


def read_puzzle(kit: Kit, text: str) -> Any:
    """Let the kit read an input; the same kit reads the same text once, for the loader and for whoever grades."""
    key = (id(kit), text)
    if key not in _READ:
        if len(_READ) >= _MOST_READ:
            _READ.clear()
        _READ[key] = (kit, kit.parse(text))
    return _READ[key][1]


def build_kit(name: str, rules: Mapping[str, Any]) -> Kit:
    """Import the kit's module and call its factory with the rules, once for each; KitError says why it can't be."""
    found = _module(name, "kit")
    factory = found if callable(found) else getattr(found, "kit", None)
    if not callable(factory):
        raise KitError(f"the kit {name} has no function kit", hint="a kit is a module with `def kit(**rules)`")
    return _made(factory, name, msgspec.json.encode(rules))


@functools.lru_cache(maxsize=64)
def _made(factory: Callable[..., Kit], name: str, rules_json: bytes) -> Kit:
    rules: dict[str, Any] = msgspec.json.decode(rules_json)
    try:
        kit = factory(**rules)
    except (TypeError, ValueError, KeyError) as error:
        given = ", ".join(f"{key}: {value}" for key, value in rules.items()) or "none"
        raise KitError(f"the kit {name} refuses its rules: {error}", hint=f"the rules given: {given}") from error
    except Exception as error:  # a kit is other people's code
        raise KitError(f"the kit {name} fails when it is built: {_told(error)}") from error
    if not callable(getattr(kit, "parse", None)):
        raise KitError(f"the kit {name} lacks parse", hint="see grader/model/kit.py for what a kit has")
    built: Kit = kit
    return built


def check_parts(name: str, kit: Kit, judge: Any) -> None:
    """Check that the kit has what the judge asks of it, and an answer; KitError names what it lacks."""
    answers = any(callable(getattr(kit, part, None)) for part in ("solve", "expect", "transcript"))
    wanted = (*getattr(judge, "ASKS", ()), *(() if answers else ("solve",)))
    lacking = [part for part in wanted if not callable(getattr(kit, part, None))]
    if lacking:
        raise KitError(
            f"the kit {name} lacks {', '.join(lacking)}", hint="see grader/model/kit.py for what a kit has"
        )


def solvers_of(kind: Kind) -> tuple[str, ...]:
    """Name the modules that the kit solves with; none when it doesn't tell."""
    return tuple(getattr(kit_module(kind.kit), "SOLVERS", ()))


def kit_path(name: str) -> str:
    """Return where a kit is made, as module:factory, whether it is named by import path or entry point."""
    found = _module(name, "kit")
    return f"{found.__module__}:{found.__qualname__}" if callable(found) else f"{found.__name__}:kit"


def kit_module(name: str) -> ModuleType:
    """Return the module of a kit."""
    return sys.modules[kit_path(name).partition(":")[0]]


def find_judge(name: str) -> Any:
    """Return the judge's module; KitError says why there is none."""
    if name in registry.NAMES:
        return registry.find(name)
    if "." not in name and importlib.util.find_spec(name) is None:
        raise KitError(f"there is no judge {name}", hint=did_you_mean(name, registry.NAMES))
    module = _module(name, "judge")
    if not callable(getattr(module, "judge", None)):
        raise KitError(f"the judge {name} has no function judge", hint="a judge is a module with `def judge(trial)`")
    return module


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
