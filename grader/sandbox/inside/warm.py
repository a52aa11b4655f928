"""Keeps modules warm in the zygote, yet unseen until the student imports them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from . import FRESH

if TYPE_CHECKING:
    from types import ModuleType

_kept: dict[str, ModuleType] = {}


def load(names: tuple[str, ...]) -> None:
    """Import modules ahead of every case."""
    for name in names:
        __import__(name)


def hide() -> None:
    """Leave in `sys.modules` what a fresh interpreter has there."""
    for name in [name for name in sys.modules if name not in FRESH]:
        _kept[name] = sys.modules.pop(name)


def uncover() -> None:
    """Forget what was imported on the way to the program."""
    hide()
