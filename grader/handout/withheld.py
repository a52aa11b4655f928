"""Reads which parts of a kit stay with the course.

A kit's module, or a package that holds it, says `WITHHELD = ("package.solver", "answers.json")`: modules, packages
and data files that students never get. `()` says that there is nothing to hide.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.catalogue.kits import KitError, kit_module

if TYPE_CHECKING:
    from types import ModuleType

    from grader.model.assignment import Kind


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
