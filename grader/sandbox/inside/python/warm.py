"""Keeps modules warm in the zygote; they give way where the submission has a file of the same name."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from types import ModuleType
from typing import TYPE_CHECKING

from .. import FRESH
from . import finish

if TYPE_CHECKING:
    from collections.abc import Container

_tops: set[str] = set()
"""What is warm, by the first part of its name."""


def load(names: tuple[str, ...]) -> None:
    """Import modules ahead of every case."""
    compile("", "<warm>", "exec")  # the first call makes some hundred types
    for name in names:
        __import__(name)


def end_loading() -> None:
    """Read the list of each folder that is searched, for a case might not be allowed to; unload our own modules."""
    PathFinder.find_spec("inside")
    for name in [name for name in sys.modules if name.partition(".")[0] == "inside"]:
        del sys.modules[name]
    _tops.update(name.partition(".")[0] for name in sys.modules if name not in FRESH)


def give_way(home: str, watched: Container[str]) -> None:
    """Unload what a student's file takes the place of, and what has been made with it, so that imports go as at home.

    A watched module stays, for a new one would have no guards.
    """
    own = _tops.intersection(entry.partition(".")[0] for entry in os.listdir(home))
    if not own:
        return
    warm = {name: module for name, module in sys.modules.items() if name not in FRESH and name not in watched}
    lost = {name for name in warm if name.partition(".")[0] in own}
    gone: dict[int, object] = {}
    while lost:
        finish.there.difference_update(lost)
        for name in lost:
            del sys.modules[name]
            module = warm.pop(name)
            gone |= {id(module): module, **_names(module)}
        lost = {name for name, module in warm.items() if not gone.keys().isdisjoint(_names(module))}


def _names(module: ModuleType) -> dict[int, object]:
    """Return what a module's names stand for: functions, classes and other modules, by their ids."""
    named = ((key, value) for key, value in vars(module).items() if not key.startswith("__"))
    return {id(value): value for _, value in named if callable(value) or isinstance(value, ModuleType)}
