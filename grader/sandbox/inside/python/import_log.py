"""Takes down, while the zygote starts, what each import brings with it."""

from __future__ import annotations

import builtins
import sys

TYPE_CHECKING = False  # nothing but what a fresh interpreter has may be imported before the noting begins
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

brings: dict[str, list[str]] = {}
"""Module → the modules that its own import asked for or made, in order."""

_plain_import = builtins.__import__
_underway = [""]


def start() -> None:
    builtins.__import__ = _noting_import  # type: ignore[assignment]  # its parameters have other names


def stop() -> None:
    builtins.__import__ = _plain_import


def closure(name: str) -> list[str]:
    """Return all that the module brings and then itself, in the order in which fresh imports would end."""
    ended: dict[str, None] = {}
    begun: set[str] = set()
    pending = [name]
    while pending:
        current = pending[-1]
        if current in begun:
            ended.setdefault(pending.pop())
        else:
            begun.add(current)
            pending += [brought for brought in reversed(brings.get(current, ())) if brought not in begun]
    return list(ended)


def _noting_import(
    name: str,
    namespace: Mapping[str, object] | None = None,
    local: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    before = set(sys.modules)
    full = _absolute(name, namespace or {}, level)
    importer = str((namespace or {}).get("__name__", ""))
    if importer.startswith("importlib._bootstrap") or not _is_beginning(importer):
        importer = _underway[-1]  # a module in C that imports another; a function that imports when it is called
    _underway.append(full)
    try:
        module = _plain_import(name, namespace, local, fromlist or (), level)
    finally:
        _underway.pop()
    _note(importer, full, fromlist or (), before)
    return module


def _is_beginning(name: str) -> bool:
    """Tell whether the module's own text is still being run."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return bool(getattr(spec, "_initializing", False))


def _absolute(name: str, namespace: Mapping[str, Any], level: int) -> str:
    if not level:
        return name
    parts = str(namespace.get("__package__") or "").split(".")
    return ".".join([*parts[: len(parts) - level + 1], *([name] if name else [])])


def _note(importer: str, name: str, fromlist: Sequence[str], before: set[str]) -> None:
    """Take down what an import asked for, for its importer, and what came into being, for the imported."""
    parts = name.split(".")
    asked = [".".join(parts[:i]) for i in range(1, len(parts) + 1)]
    asked += [f"{name}.{part}" for part in fromlist if f"{name}.{part}" in sys.modules]
    for module, brought in ((importer, asked), (name, [new for new in sys.modules if new not in before])):
        known = brings.setdefault(module, [])
        known += [other for other in brought if other not in known]
