"""Puts off what warm modules do after a fork until a case imports them.

`random` takes a new seed in every child and `threading` makes new locks. Together they write to about 150 pages, each
of which the kernel copies, for cases that mostly import neither.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_plain_register = os.register_at_fork
_put_off: dict[str, list[dict[str, Callable[[], object]]]] = {}


def begin() -> None:
    """Take down, from now on, what modules want to be done at a fork."""
    os.register_at_fork = _take_down  # type: ignore[assignment]  # it takes what any module passes


def end() -> None:
    os.register_at_fork = _plain_register


def make_up_for(module: str) -> None:
    """Do in a case what the module wanted in every child, and register it for children of the case's own."""
    for hooks in _put_off.pop(module, ()):
        _plain_register(**hooks)
        if "after_in_child" in hooks:
            hooks["after_in_child"]()


def _take_down(**hooks: Callable[[], object]) -> None:
    _put_off.setdefault(sys._getframe(1).f_globals["__name__"], []).append(hooks)  # noqa: SLF001 -- who asks for it
