"""The source that a grade hangs on: the harness, the templates, the kits."""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib.util import find_spec
from typing import TYPE_CHECKING

from grader.again import BEGUN_NS
from grader.again.trees import Inventory, OddError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SLACK_NS = 50_000_000
"""What was changed so shortly before may have been loaded before the change: file systems' clocks are coarse."""
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_TEMPLATES = os.path.join(os.path.dirname(_PACKAGE), "templates")
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def _roots_of(named: Iterable[str]) -> tuple[str, ...]:
    """Give the harness, the packages of the modules named, and the files of all others that are not installed."""
    packages = {path for name in named for path in _package(name)}
    return (_PACKAGE, _TEMPLATES, *sorted(packages - {_PACKAGE}), *sorted(_foreign(tuple(packages))))


class Source:
    """The source that this process has loaded, and how it looked when the work began."""

    def __init__(self, named: Iterable[str]) -> None:
        """Take the harness, the modules named and all others; OddError when they may have changed since."""
        self.roots = _roots_of(named)
        self.digest = Inventory(self.roots, follow=True).digest
        self._outline = self._look()
        self._modules = 0
        self._is_all = False

    def is_all(self) -> bool:
        """Tell whether it holds every module that was loaded up to now, but for those installed."""
        if len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self._is_all = not any(_foreign(self.roots))
        return self._is_all

    def is_unchanged(self) -> bool:
        """Tell whether it is all of the source, and as it was."""
        return self.is_all() and self._outline == self._look()

    def _look(self) -> bytes:
        outline = Inventory(self.roots, follow=True, by_content=False)
        if outline.changed_ns > BEGUN_NS - _SLACK_NS:
            raise OddError("the source has just been changed")
        return outline.digest


def _foreign(roots: tuple[str, ...]) -> Iterator[str]:
    """Give the files of loaded modules that are neither below the roots nor Python's own nor installed."""
    library = tuple(f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib"))
    within = (_PACKAGE + os.sep, *(root + os.sep for root in roots))
    for name, module in tuple(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if path is None or name == "__main__" or path in roots or path.startswith(within):
            continue
        if not path.startswith(library) and not any(part in path for part in _INSTALLED):
            yield path


def _package(name: str) -> list[str]:
    """Give the folder of the package that a module is, or is in; a module in no package is its file."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError) as error:
        raise OddError(str(error)) from error
    if spec is None or spec.origin is None:
        raise OddError(f"there is no source of {name}")
    place = os.path.abspath(spec.origin)
    return [os.path.dirname(place) if spec.submodule_search_locations or "." in name else place]
