"""Finds a kit by its import path or entry point, then builds it."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import sys
from typing import TYPE_CHECKING, Any, cast

import msgspec

from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.errors import CatalogueError, Fault, GraderError
from grader.judge import registry
from grader.model.kit import PuzzleError
from grader.model.plain_kit import is_plain, plain_kit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint
    from pathlib import Path
    from types import ModuleType

    from grader.model.assignment import Kind
    from grader.model.dice import Dice
    from grader.model.kit import Generating, Kit

KITS = "maze_grader.kits"
_SHIPPED = {"text": "grader.model.text_kit"}
"""Kits that come with the grader, by their short names."""

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


def fresh_text(kit: Generating, dice: Dice, shape: str, size: int | None = None) -> str:
    """Have the kit make the text of a puzzle that it can read; KitError says why it can't."""
    try:
        text = kit.vary(dice, shape, size)
        read_puzzle(cast("Kit", kit), text)
    except PuzzleError as error:
        raise KitError(f"the kit can't read the {shape} that it made: {error.message}") from error
    except Exception as error:  # a kit is other people's code
        raise KitError(f"the kit fails to make a {shape}: {_told(error)}") from error
    return text


def build_kit(name: str, rules: Mapping[str, Any]) -> Kit:
    """Import the kit's module and call its factory with the rules, once for each; KitError says why it can't be."""
    return _made(_module(name, "kit"), name, msgspec.json.encode(rules))


def _factory(name: str, found: Any) -> Callable[..., Kit]:
    factory = found if callable(found) else getattr(found, "kit", None)
    if factory is None and is_plain(found):
        return functools.partial(_plain, found)
    if not callable(factory):
        hint = "a kit is a module with `def solve(puzzle)`, or with `def kit(**rules)` that returns more"
        raise KitError(f"the kit {name} has no function kit", hint=hint)
    made: Callable[..., Kit] = factory
    return made


def _plain(module: ModuleType, **rules: Any) -> Kit:
    if rules:
        raise TypeError("a kit of plain functions takes none; write `def kit(**rules)`")
    return plain_kit(module)


@functools.lru_cache(maxsize=64)
def _made(found: Any, name: str, rules_json: bytes) -> Kit:
    rules: dict[str, Any] = msgspec.json.decode(rules_json)
    factory = _factory(name, found)
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
    """Check that the kit has what the judge asks of it; KitError names what it lacks."""
    lacking = [part for part in getattr(judge, "ASKS", ()) if not callable(getattr(kit, part, None))]
    if lacking:
        raise KitError(
            f"the kit {name} lacks {', '.join(lacking)}", hint="see grader/model/kit.py for what a kit has"
        )


def has_answers(kit: Kit) -> bool:
    """Tell whether the kit can be asked for the answer key."""
    return any(callable(getattr(kit, part, None)) for part in ("solve", "expect", "transcript"))


def solvers_of(kind: Kind) -> tuple[str, ...]:
    """Name the modules that the kit solves with; none when it doesn't tell."""
    return tuple(getattr(kit_module(kind.kit), "SOLVERS", ()))


def kit_path(name: str) -> str:
    """Return where a kit is made, as module:factory, whatever it is named by; no factory for plain functions."""
    found = _module(name, "kit")
    if callable(found):
        return f"{found.__module__}:{found.__qualname__}"
    return f"{found.__name__}:{'kit' if hasattr(found, 'kit') else ''}"


def kit_module(name: str) -> ModuleType:
    """Return the module of a kit."""
    return sys.modules[kit_path(name).partition(":")[0]]


def find_judge(name: str) -> Any:
    """Return the judge's module; KitError says why there is none."""
    if name in registry.NAMES:
        return registry.find(name)
    if name in registry.FORMER:
        raise KitError(f"the judge {name} has another name now", hint=f"write `judge: {registry.FORMER[name]}`")
    if "." not in name and importlib.util.find_spec(name) is None:
        raise KitError(f"there is no judge {name}", hint=did_you_mean(name, registry.NAMES))
    module = _module(name, "judge")
    if not callable(getattr(module, "judge", None)):
        raise KitError(f"the judge {name} has no function judge", hint="a judge is a module with `def judge(trial)`")
    return module


def _module(name: str, what: str) -> Any:
    if what == "kit":
        name = _SHIPPED.get(name, name)
    try:
        return _loaded(name, what)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(error.name + ".")):
            raise KitError(f"there is no {what} {name}", hint=did_you_mean(name, _known(name))) from error
        raise KitError(f"the {what} {name} can't be imported: {_told(error)}") from error
    except (Exception, SystemExit) as error:  # a kit is other people's code
        raise KitError(f"the {what} {name} can't be imported: {_told(error)}") from error


def _loaded(name: str, what: str) -> Any:
    if what == "kit" and not _is_module(name) and name in _entries():
        return _entries()[name].load()
    return importlib.import_module(name)


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
    names = [*_SHIPPED, *_entries()]
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
