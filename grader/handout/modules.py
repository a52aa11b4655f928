"""Finds the modules and data files that a program needs, by reading its source.

A module belongs to the course unless it comes with Python or was installed for everybody (below site-packages); what
lies in the packages of the course's own kits and judges belongs to it wherever it is. Data files belong to a module
when its source names them: `files(__package__) / "words.txt"` or `Path(__file__).with_name("words.txt")`.

A kit's module, or a package that holds it, says `WITHHELD = ("package.solver", "answers.json")`: modules, packages
and data files that students never get. `()` says that there is nothing to hide.
"""

from __future__ import annotations

import ast
import importlib
import sys
from functools import lru_cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.catalogue.kits import KitError, kit_module

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from grader.model.assignment import Kind

_INSTALLED = frozenset({"site-packages", "dist-packages"})
_LEFT_OUT = frozenset({"__pycache__", "cases", "solutions", "tests"})
"""Folders that are no module's data, whatever a source says."""
_LONGEST_NAME = 200


class Needed(msgspec.Struct, frozen=True, kw_only=True):
    """What a program needs besides Python."""

    files: dict[str, Path]
    """Place below the folder of modules → the file: modules, then their data."""
    installed: dict[str, str]
    """Top-level name of an installed package that is imported with its module → where, as file:line."""


class _Import(NamedTuple):
    name: str
    line: int
    is_certain: bool
    """It happens as soon as the module is imported, and nothing catches its failure."""


class _Said(NamedTuple):
    """What a module's source names."""

    imports: tuple[_Import, ...]
    texts: frozenset[str]


def needed(roots: Iterable[str], *, withheld: Iterable[str] = (), bundled: Iterable[str] = ()) -> Needed:
    """Gather what the roots import, directly or not; withheld modules, and files of such names, are left out.

    Installed packages in `bundled` are gathered as well: those of their modules that are imported.
    """
    waiting = list(roots)
    plain = frozenset(bundled)
    own = {"grader", *plain, *(name.partition(".")[0] for name in waiting)}
    secret = frozenset(withheld)
    found: dict[str, Path] = {}
    data: dict[str, Path] = {}
    installed: dict[str, str] = {}
    while waiting:
        name = waiting.pop()
        waiting += [parent for parent in _parents(name) if parent not in found]
        spec = None if name in found or is_withheld(name, secret) else _spec(name)
        if spec is None or not spec.origin or not spec.origin.endswith(".py"):
            continue
        path = found[name] = Path(spec.origin)
        package = name if spec.submodule_search_locations is not None else name.rpartition(".")[0]
        said = _read(path.read_bytes(), package)
        data |= {} if name.partition(".")[0] in plain else _data(said.texts, name, path, secret)
        for each in said.imports:
            top = each.name.partition(".")[0]
            if top not in own and _is_installed(top):
                if each.is_certain:
                    installed.setdefault(top, f"{path.name}:{each.line}")
            elif top not in sys.stdlib_module_names:
                waiting.append(each.name)
    modules = {_inside(name, path): path for name, path in found.items()}
    return Needed(files=dict(sorted((data | modules).items())), installed=installed)


def is_withheld(name: str, withheld: Iterable[str]) -> bool:
    """Tell whether a module, or a package that holds it, is withheld."""
    return any(name == secret or name.startswith(f"{secret}.") for secret in withheld)


def withheld_by(kind: Kind) -> tuple[str, ...] | None:
    """Name what the kit of a kind withholds; None when it doesn't say."""
    module = kit_module(kind.kit)
    said = _said(module)
    if said is None:
        return None
    if isinstance(said, str) or not all(isinstance(name, str) for name in said):
        raise KitError(f"WITHHELD of {kind.kit} must be a tuple of names", hint=f"found {said!r}")
    for name in said:
        if not _exists(name, module):
            raise KitError(
                f"WITHHELD of {kind.kit} names {name}, which isn't there",
                hint="write modules with their packages, such as kits.solver; what is misspelt would be handed out",
            )
    return tuple(said)


def _said(module: ModuleType) -> Any:
    """Ask the module, then the packages round it, the nearest first."""
    parts = module.__name__.split(".")
    for length in range(len(parts), 0, -1):
        said = getattr(importlib.import_module(".".join(parts[:length])), "WITHHELD", None)
        if said is not None:
            return said
    return None


def _exists(name: str, module: ModuleType) -> bool:
    try:
        if find_spec(name) is not None:
            return True
    except (ImportError, ValueError):
        pass
    folder = Path(module.__file__ or "").parent
    return (folder / name).exists() or any(folder.rglob(Path(name).name))


def whole_package(name: str) -> Iterator[str]:
    """Name every module of a package, for modules that are found by name while the program runs."""
    spec = _spec(name)
    places = spec.submodule_search_locations if spec else None
    yield name
    yield from (found.name for found in walk_packages(places, f"{name}."))


def _spec(name: str) -> ModuleSpec | None:
    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _is_installed(top: str) -> bool:
    spec = _spec(top)
    places = [spec.origin or "", *(spec.submodule_search_locations or ())] if spec else []
    return any(_INSTALLED.intersection(Path(place).parts) for place in places)


def _parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _inside(name: str, path: Path) -> str:
    base = name.replace(".", "/")
    return f"{base}/__init__.py" if path.name == "__init__.py" else f"{base}.py"


@lru_cache(maxsize=1024)
def _read(source: bytes, package: str) -> _Said:
    """Parse a module of this package, once for all the kits that need it."""
    tree = ast.parse(source)
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return _Said(imports=tuple(_imports(tree, package)), texts=frozenset(texts))


def _imports(tree: ast.AST, package: str) -> Iterator[_Import]:
    """Give what a module imports; what only a type checker sees doesn't count."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, certain = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += [(child, certain) for child in node.orelse]
            continue
        for name in _named(node, package):
            yield _Import(name, getattr(node, "lineno", 0), certain)
        inner = certain and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Try)
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]


def _named(node: ast.AST, package: str) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom():
            relative = "." * node.level + (node.module or "")
            base = resolve_name(relative, package) if node.level else relative
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")
        case ast.Call(args=[ast.Constant(value=str(name)), *_]) if ast.unparse(node.func).endswith(
            ("import_module", "__import__")
        ):
            yield resolve_name(name, package) if name.startswith(".") and package else name


def _data(texts: frozenset[str], name: str, path: Path, withheld: frozenset[str]) -> dict[str, Path]:
    """Give the files, and the files of the folders, that a module's texts name below its own folder."""
    place = _inside(name, path).rpartition("/")[0]
    found: dict[str, Path] = {}
    for text in sorted(texts):
        parts = (
            Path(text).parts
            if 0 < len(text.encode("utf-8", "replace")) <= _LONGEST_NAME and text.isprintable()
            else ()
        )
        if not parts or ".." in parts or Path(text).is_absolute():
            continue
        for file in _files(path.parent.joinpath(*parts)):
            relative = file.relative_to(path.parent).as_posix()
            if not _LEFT_OUT.intersection(Path(relative).parts) and not withheld.intersection((relative, file.name)):
                found[f"{place}/{relative}".lstrip("/")] = file
    return found


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        held = sorted(each for each in path.rglob("*") if each.is_file())
        is_code = any(each.suffix == ".py" or each.name == "assignment.yaml" for each in held)
        return [] if is_code else held
    return [path] if path.is_file() and path.suffix not in {".py", ".pyc"} else []
