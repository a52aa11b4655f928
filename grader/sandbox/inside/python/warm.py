"""Keeps modules warm in the zygote, yet unseen until the student imports them.

A case starts with the `sys.modules` of a fresh interpreter. When the program imports `random`, the search goes along
`sys.path` as ever, so a `random.py` of the student's own is found first. Only when it arrives at the standard
library does it meet our finder, which gives the module that is already there, together with every module that a fresh
import of it would have brought. A warm module that would have imported a file of the student's is not used at all.
"""

from __future__ import annotations

import contextlib
import os
import sys
from importlib import _bootstrap_external
from importlib.machinery import BuiltinImporter, FileFinder, FrozenImporter, ModuleSpec
from typing import TYPE_CHECKING, Any

from .. import FRESH
from . import import_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_LOADERS = _bootstrap_external._get_supported_file_loaders()  # type: ignore[attr-defined]  # noqa: SLF001 -- the order

_hidden: dict[str, ModuleType] = {}
_following: dict[str, list[str]] = {}
"""Hidden module → all that a fresh import of it brings, itself last."""
_register_at_fork: Any = getattr(os, "register_at_fork", None)  # Windows forks nothing
_at_fork: dict[str, list[dict[str, Callable[[], object]]]] = {}
"""Module → what it wanted to be done at a fork."""
_last_fresh: list[str] = []
_tops: set[str] = set()
_path: list[str] = []
"""The search path with which the student's program began; empty until then."""
_shadowed: set[str] = set()
"""Names that a file in the student's folder takes before the standard library."""


def load(names: tuple[str, ...]) -> None:
    """Import modules ahead of every case."""
    os.register_at_fork = _put_off  # type: ignore[assignment]  # it takes what any module passes
    for name in names:
        __import__(name)
    os.register_at_fork = _register_at_fork


def end_loading() -> None:
    """Note no more of what an import brings."""
    import_log.stop()


def _put_off(**hooks: Callable[[], object]) -> None:
    """Take down what a module wants to be done after a fork.

    `random` takes a new seed in every child and `threading` makes new locks. Together they write to about 150 pages,
    each of which the kernel copies, for cases that mostly import neither.
    """
    _at_fork.setdefault(sys._getframe(1).f_globals["__name__"], []).append(hooks)  # noqa: SLF001 -- who asks for it


def _make_up_for(module: str) -> None:
    """Do in a case what the module wanted in every child, and register it for children of the case's own."""
    for hooks in _at_fork.pop(module, ()):
        _register_at_fork(**hooks)
        if "after_in_child" in hooks:
            hooks["after_in_child"]()


def hide() -> None:
    """Leave in `sys.modules` what a fresh interpreter has there, and put our finders in their places."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "inside"]:
        del sys.modules[name]
    names = [name for name in sys.modules if name not in FRESH]
    _following.update((name, import_log.closure(name)) for name in names)
    _tops.update(name.partition(".")[0] for name in names)
    _conceal(names)
    note_fresh()
    folders = {path for module in _hidden.values() for path in getattr(module, "__path__", ())}
    for folder in (*folders, *(path for path in sys.path[1:] if os.path.isdir(path))):
        sys.path_importer_cache[folder] = WarmFinder(folder)
    sys.path_importer_cache.pop(sys.path[0], None)
    _patch(BuiltinImporter)
    _patch(FrozenImporter)


def note_fresh() -> None:
    """Take what is loaded by now for a fresh interpreter's modules."""
    _last_fresh[:] = [next(reversed(sys.modules))]


def tidy() -> None:
    """Hide again what the harness itself has imported since."""
    _conceal(imported())


def imported() -> list[str]:
    """Name what was imported after the modules of a fresh interpreter, whose names are not even looked at."""
    names = []
    for name in reversed(sys.modules):
        if name == _last_fresh[0]:
            break
        names.append(name)
    return names[::-1]


def begin(home: str) -> None:
    """Look once which names the student's folder takes for itself."""
    _path[:] = sys.path
    _shadowed.update(_tops.intersection(entry.partition(".")[0] for entry in os.listdir(home)))


def _usable(name: str) -> bool:
    """Tell whether the hidden module is what a fresh import would give here."""
    if name not in _hidden or sys.path != _path:
        return False
    return not _shadowed or _shadowed.isdisjoint(brought.partition(".")[0] for brought in _following[name])


def _reveal(name: str) -> None:
    """Show a module's whole following."""
    _show([brought for brought in _following[name] if brought in _hidden])


def _show(names: list[str]) -> None:
    shown = {name: _hidden.pop(name) for name in names}
    for name, module in shown.items():
        sys.modules.setdefault(name, module)
    for name, module in shown.items():
        parent, _, child = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], child, module)
        _make_up_for(name)


@contextlib.contextmanager
def shown(name: str) -> Iterator[None]:
    """Let a hidden module work for the harness itself, unseen before and after."""
    following = [brought for brought in _following.get(name, ()) if brought in _hidden]
    _show(following)
    yield
    _conceal(following)


def _conceal(names: list[str]) -> None:
    for name in names:
        _hidden[name] = sys.modules.pop(name)
    for name in names:
        _unbind(name, _hidden[name])


def _unbind(name: str, module: ModuleType) -> None:
    """Take a submodule's name from its package, unless importing the package alone brings it."""
    parent, _, child = name.rpartition(".")
    if name in _following.get(parent, ()):
        return
    holder = _hidden.get(parent) or sys.modules.get(parent)
    if holder is not None and holder.__dict__.get(child) is module:
        delattr(holder, child)


class WarmLoader:
    """Gives the hidden module in place of a new one."""

    def __init__(self) -> None:
        self._spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = _hidden[spec.name]
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec
        _reveal(module.__name__)


class WarmFinder(FileFinder):
    """Finds what a plain finder finds in a folder, but gives what is warm."""

    def __init__(self, folder: str) -> None:
        plain = FileFinder.path_hook(*_LOADERS)(folder)
        super().__init__(folder)
        self.__dict__.update(plain.__dict__)
        super().find_spec("", None)  # reads the folder's list now; a case might not be allowed to

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        if _usable(fullname):
            origin = getattr(_hidden[fullname].__spec__, "origin", None)
            return ModuleSpec(fullname, WarmLoader(), origin=origin)  # type: ignore[arg-type]  # it has both methods
        return super().find_spec(fullname, target)


def _patch(importer: Any) -> None:
    """Let the importers of built-in and frozen modules give the hidden ones too."""
    create, execute = importer.create_module, importer.exec_module

    def create_module(spec: ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = _hidden[spec.name] if _usable(spec.name) else create(spec)
        return module

    def exec_module(module: ModuleType) -> None:
        if _hidden.get(module.__name__) is module:
            _reveal(module.__name__)
        else:
            execute(module)

    importer.create_module = staticmethod(create_module)
    importer.exec_module = staticmethod(exec_module)
