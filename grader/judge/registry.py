"""Finds judges, by short name or import path, and what they say about themselves.

A judge is a module with `judge(trial) -> Judgement`. Besides it may have

    NAME = "value"          its short name, for those that come with the grader
    Options                 struct of what `options` may hold; without it the judge checks its options itself
    Expect                  struct of what `expect` may hold; without it the kit's own `Expect` is
    FILES = {"transcript": (".out",)}      keys of `expect` that name files below the assignment, with their endings
    ASKS = ("read", "check")               what it needs of a kit
    key(kit, puzzle)        returns the Expect that a case should store; without it the kit's expectation is
    so_far(trial)           returns what the answer of a run that ended badly breaks already, or None
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

from grader.judge import claim, stdout, transcript, value
from grader.model import kit as model_kit

if TYPE_CHECKING:
    from grader.model.assignment import Case
    from grader.model.kit import Kit, Puzzle

JUDGES: dict[str, Any] = {module.NAME: module for module in (claim, transcript, value, stdout)}
NAMES = tuple(JUDGES)
FORMER = {"path": "claim", "moves": "claim", "play": "claim"}
"""Names that judges had once → the name that replaces them."""


@cache
def find(name: str) -> Any:
    """Return the module of a judge; ImportError when there is none."""
    return JUDGES.get(name) or importlib.import_module(name)


def expect_struct(judge: Any, kit: Kit | None) -> Any:
    """Return the struct of what `expect` may hold."""
    return getattr(judge, "Expect", None) or getattr(kit, "Expect", model_kit.Expect)


def files_of(case: Case) -> tuple[str, ...]:
    """Return the paths of the files that a case's expectation names."""
    names = (getattr(case.expect, key, None) for key in getattr(find(case.kind.judge), "FILES", {}))
    return tuple(name for name in names if name)


def key(judge: Any, kit: Kit, puzzle: Puzzle) -> Any:
    """Return the expectation that a case of this puzzle should store."""
    told = getattr(judge, "key", model_kit.expectation)
    return told(kit, puzzle)
