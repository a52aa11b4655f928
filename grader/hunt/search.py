"""Searches for a puzzle that a solution gets wrong, and shrinks it."""

from __future__ import annotations

import time
from itertools import chain, repeat
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import Flaky, NoSuchExample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hypothesis.strategies import SearchStrategy

    Fails = Callable[[Any], bool]

_ROUNDS = (60, 300, 2_000)
"""Puzzles per round, the last for all further ones; each starts from a new seed, so no search repeats itself."""
_LONG_ROUND = 4
"""Long puzzles after each round."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a search found."""

    puzzle: Any = None
    """The smallest puzzle that fails; None when none was found."""
    tried: int = 0
    is_smallest: bool = False
    """Nothing can be taken away; False when the time ran out before that was sure."""


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """Where to search: the puzzles, and how each can be made smaller."""

    puzzles: Any
    long_puzzles: Any = None
    smaller: Any

    def rounds(self) -> Iterator[tuple[SearchStrategy[Any], int]]:
        """Yield strategies with the number of puzzles to take from each, without end."""
        for size in chain(_ROUNDS, repeat(_ROUNDS[-1])):
            yield self.puzzles, size
            if self.long_puzzles is not None:
                yield self.long_puzzles, _LONG_ROUND


class TimeIsUp(BaseException):
    """The time is over; no Exception, so that Hypothesis doesn't take it for a failure of the puzzle."""


class Trials:
    """Counts the puzzles tried and stops when the time is over."""

    def __init__(self, fails: Fails, *, seconds: float, tried: Callable[[int], None], shrink_s: float = 0.0) -> None:
        """Search for so many seconds; once something failed, `shrink_s` more are granted."""
        self._fails = fails
        self._deadline = time.monotonic() + seconds
        self._shrink_s = shrink_s
        self._tell = tried
        self.tried = 0
        self.best: Any = None
        self.is_over = False

    def __call__(self, puzzle: Any) -> bool:
        """Try one puzzle; raise TimeIsUp after the deadline."""
        if self.is_over or time.monotonic() > self._deadline:
            self.is_over = True
            raise TimeIsUp
        self.tried += 1
        self._tell(self.tried)
        failed = self._fails(puzzle)
        if failed:
            self._deadline += self._shrink_s if self.best is None else 0.0
            self.best = puzzle
        return failed


def search(space: Space, trials: Trials, *, seed: int) -> Found:
    """Find a failing puzzle, let Hypothesis shrink it, then drop whatever can still be dropped.

    For one seed the puzzles are tried in the same order, so the outcome is the same unless the time runs out first.
    """
    randomness = Random(seed)  # noqa: S311 - a reproducible search, no secret
    try:
        rounds = space.rounds()
        puzzle = None
        while puzzle is None:
            puzzle = _one_round(*next(rounds), trials, Random(randomness.getrandbits(64)))  # noqa: S311 - as above
    except TimeIsUp:
        return Found(puzzle=trials.best, tried=trials.tried)
    return shrink_within(puzzle, trials, space)


def shrink_within(puzzle: Any, trials: Trials, space: Space) -> Found:
    """Shrink a puzzle that fails, as far as the time allows."""
    trials.best = puzzle
    is_smallest = False
    try:
        shrink(puzzle, trials, space.smaller)
        is_smallest = True
    except TimeIsUp:
        pass
    return Found(puzzle=trials.best, tried=trials.tried, is_smallest=is_smallest)


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


def _one_round(puzzles: SearchStrategy[Any], size: int, trials: Trials, randomness: Random) -> Any:
    quick = settings(
        max_examples=size,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(puzzles, trials, settings=quick, random=randomness)
    except NoSuchExample:
        return None
    except Flaky:  # a solution that isn't the same twice: what failed once is worth showing
        return trials.best
