"""Searches for a puzzle that a solution gets wrong, and shrinks it."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hypothesis.strategies import SearchStrategy

    Fails = Callable[[Any], bool]

_ROUND = 2_000
"""Puzzles per round; each round starts from a new seed, so a hunt never circles."""


class Quarry(msgspec.Struct, frozen=True, kw_only=True):
    """What a hunt came home with."""

    puzzle: Any = None
    """The smallest puzzle that fails; None when none was found."""
    tried: int = 0


class Chase:
    """Counts the puzzles tried and stops when the time is over."""

    def __init__(self, fails: Fails, *, seconds: float, tried: Callable[[int], None]) -> None:
        self._fails = fails
        self._deadline = time.monotonic() + seconds
        self._tell = tried
        self.tried = 0
        self.best: Any = None
        self.is_over = False

    def __call__(self, puzzle: Any) -> bool:
        """Try one puzzle; after the deadline nothing fails any more, so that every loop ends."""
        if self.is_over or time.monotonic() > self._deadline:
            self.is_over = True
            return False
        self.tried += 1
        self._tell(self.tried)
        failed = self._fails(puzzle)
        if failed:
            self.best = puzzle
        return failed


def hunt(puzzles: SearchStrategy[Any], chase: Chase, *, seed: int, smaller: Callable[[Any], Iterable[Any]]) -> Quarry:
    """Find a failing puzzle, let Hypothesis shrink it, then drop whatever can still be dropped.

    For one seed the puzzles are tried in the same order, so the outcome is the same unless the time runs out first.
    """
    randomness = Random(seed)  # noqa: S311 - a reproducible hunt, no secret
    found = None
    while found is None and not chase.is_over:
        found = _one_round(puzzles, chase, Random(randomness.getrandbits(64)))  # noqa: S311 - as above
    if chase.best is None:
        return Quarry(tried=chase.tried)
    smallest = shrink(found if found is not None else chase.best, chase, smaller)
    return Quarry(puzzle=smallest, tried=chase.tried)


def shrink(puzzle: Any, fails: Fails, smaller: Callable[[Any], Iterable[Any]]) -> Any:
    """Drop one thing after the other while the puzzle still fails; what is left can lose nothing."""
    while (less := next((candidate for candidate in smaller(puzzle) if fails(candidate)), None)) is not None:
        puzzle = less
    return puzzle


def _one_round(puzzles: SearchStrategy[Any], chase: Chase, randomness: Random) -> Any:
    quick = settings(
        max_examples=_ROUND,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(puzzles, chase, settings=quick, random=randomness)
    except NoSuchExample:
        return None
