"""Makes a kit of a module that has plain functions and no factory.

All that such a module needs is `solve(puzzle)`. What it leaves out has a default:

    parse(text)    the puzzle is the text itself
    write(puzzle)  likewise, where `parse` is left out
    calls(puzzle)  a student's function is called once, with the puzzle

A module that makes fresh puzzles needs `vary(dice, shape, size)` for it; `shapes` has a default too.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from grader.model.kit import Shape

if TYPE_CHECKING:
    from types import ModuleType

    from grader.model.kit import Kit

PARTS = frozenset({"parse", "solve", "expect", "read", "check"})
"""A module that has one of these, and no `kit`, is a kit of plain functions."""
FRESH = {"fresh": Shape(title="A fresh input", sizes=(1, 10_000), hunted=(1, 8))}
"""The one shape of a kit that names none."""


class _Plain(SimpleNamespace):
    """A kit; its class has a name that messages can show."""


def is_plain(module: Any) -> bool:
    """Tell whether a module is a kit of plain functions."""
    return any(callable(getattr(module, part, None)) for part in PARTS)


def plain_kit(module: ModuleType) -> Kit:
    """Make the kit: the module's own functions over the defaults."""
    own = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    defaults: dict[str, Any] = {"calls": lambda puzzle: ((puzzle,),)}
    defaults |= {} if "parse" in own else {"parse": str, "write": str}
    defaults |= {"shapes": lambda: FRESH} if "vary" in own else {}
    made: Any = _Plain(**defaults | own)
    kit: Kit = made
    return kit
