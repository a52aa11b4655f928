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
    is_smallest: bool = False
    """Nothing can be taken away; False when the time ran out before that was sure."""


class Over(BaseException):
    """The time is over; no Exception, so that Hypothesis doesn't take it for a failure of the puzzle."""


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
        """Try one puzzle; raise Over after the deadline."""
        if self.is_over or time.monotonic() > self._deadline:
            self.is_over = True
            raise Over
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
    is_smallest = False
    try:
        found = None
        while found is None:
            found = _one_round(puzzles, chase, Random(randomness.getrandbits(64)))  # noqa: S311 - as above
        chase.best = found
        shrink(found, chase, smaller)
        is_smallest = True
    except Over:
        pass
    return Quarry(puzzle=chase.best, tried=chase.tried, is_smallest=is_smallest)


def shrink(puzzle: Any, fails: Fails, smaller: Callable[[Any], Iterable[Any]]) -> Any:
    """Drop one thing after the other while the puzzle still fails; what is left can lose nothing.

    After a success it goes on with the things that come next, not with those that just could not be dropped.
    """
    begin = 0
    while True:
        candidates = list(smaller(puzzle))
        order = (*range(begin, len(candidates)), *range(min(begin, len(candidates))))
        begin = next((number for number in order if fails(candidates[number])), -1)
        if begin < 0:
            return puzzle
        puzzle = candidates[begin]


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
