"""Searches for a puzzle that a solution gets wrong, and shrinks it.

Puzzles are drawn in rounds and tried a batch at a time; the next are drawn while others run, so that all cores have
work. Of a batch the first that fails counts, so for one seed the outcome is the same however many cores there are.
"""

from __future__ import annotations

import time
from itertools import chain, islice, repeat
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky, NoSuchExample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hypothesis.strategies import SearchStrategy


_ROUNDS = (20, 100, 400)
"""Puzzles per round, the last for all further ones; each starts from a new seed, so no search repeats itself."""
_LONG_ROUND = 4
"""Long puzzles after each round."""
_BATCHES = (2, 8, 16, 64, 256)
"""Puzzles tried at a time, the last for all further ones: enough for some cores, few to be tried in vain."""
_HANDFUL = 8
"""Puzzles to one example: what Hypothesis does for an example takes longer than to draw a puzzle."""
_HANDFULS = 5
_LESSER = 600
"""Puzzles drawn once nothing can be taken away any more, in search of one that is smaller all the same."""


class FailEach(Protocol):
    """Tells of each puzzle whether it fails; `patient` where a time-out may hide another failure."""

    def __call__(self, puzzles: Iterable[Any], *, patient: bool) -> Iterable[bool]: ...


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
    size: Any = len
    """Measures a puzzle; of two that fail the smaller one is shown."""
    shrinks: bool = True
    """Whether `smaller` knows every piece of a puzzle; otherwise Hypothesis looks for simpler ones first."""

    def rounds(self) -> Iterator[tuple[SearchStrategy[Any], int]]:
        """Yield strategies with the number of puzzles to take from each, without end."""
        for size in chain(_ROUNDS, repeat(_ROUNDS[-1])):
            yield self.puzzles, size
            if self.long_puzzles is not None:
                yield self.long_puzzles, _LONG_ROUND


class TimeIsUp(BaseException):
    """The time is over; no Exception, so that Hypothesis doesn't take it for a failure of the puzzle."""


class Trials:
    """Tries puzzles, counts them, and stops when the time is over."""

    def __init__(
        self, fail_each: FailEach, *, seconds: float, tried: Callable[[int], None], shrink_s: float = 0.0
    ) -> None:
        """Search for so many seconds; once something failed, `shrink_s` more are granted."""
        self._fail_each = fail_each
        self._deadline = time.monotonic() + seconds
        self._shrink_s = shrink_s
        self._tell = tried
        self.tried = 0
        self.best: Any = None
        self.is_over = False

    def first(self, puzzles: Iterable[Any], *, patient: bool = False) -> tuple[int, Any] | None:
        """Return the first puzzle that fails, with its number; raise TimeIsUp after the deadline."""
        left = iter(puzzles)
        number = 0
        for size in chain(_BATCHES, repeat(_BATCHES[-1])):
            batch: list[Any] = []
            failed = self._fail_each(self._in_time(islice(left, size), batch), patient=patient)
            self.tried += len(batch)
            self._tell(self.tried)
            for place, fails in enumerate(failed):
                if fails:
                    self._deadline += self._shrink_s if self.best is None else 0.0
                    self.best = batch[place]
                    return number + place, self.best
            if self.is_over:
                raise TimeIsUp
            if len(batch) < size:
                return None
            number += size
        return None

    def _in_time(self, puzzles: Iterable[Any], taken: list[Any]) -> Iterator[Any]:
        """Pass puzzles on until the time is over, and note which were taken; one always is."""
        for puzzle in puzzles:
            self.is_over = self.is_over or (self.tried + len(taken) > 0 and time.monotonic() > self._deadline)
            if self.is_over:
                return
            taken.append(puzzle)
            yield puzzle


def search(space: Space, trials: Trials, *, seed: int) -> Found:
    """Find a failing puzzle, then drop whatever can be dropped, then look for one that is smaller all the same."""
    randomness = Random(seed)  # noqa: S311 - a reproducible search, no secret
    try:
        for puzzles, size in space.rounds():
            begin = randomness.getrandbits(64)
            draw = _drawn if space.shrinks else _drawn_singly
            caught = trials.first(draw(puzzles, size, begin))
            if caught is not None:
                puzzle = caught[1] if space.shrinks else _simplest(puzzles, size, begin, trials)
                return shrink_within(puzzle, trials, space, seed=seed)
    except TimeIsUp:
        pass
    return Found(puzzle=trials.best, tried=trials.tried)


def shrink_within(puzzle: Any, trials: Trials, space: Space, *, seed: int = 0) -> Found:
    """Shrink a puzzle that fails, as far as the time allows."""
    trials.best = puzzle
    is_smallest = False
    try:
        least = shrink(puzzle, trials, space.smaller)
        is_smallest = True
        randomness = Random(seed)  # noqa: S311 - as above
        while caught := trials.first(_lesser(space, least, randomness.getrandbits(64))):
            is_smallest = False
            least = shrink(caught[1], trials, space.smaller)
            is_smallest = True
    except TimeIsUp:
        pass
    return Found(puzzle=trials.best, tried=trials.tried, is_smallest=is_smallest)


def shrink(puzzle: Any, trials: Trials, smaller: Callable[[Any], Iterable[Any]]) -> Any:
    """Drop one thing after the other while the puzzle still fails; what is left can lose nothing.

    After a success it goes on with the things that come next, not with those that just could not be dropped.
    """
    begin = 0
    while True:
        candidates = list(smaller(puzzle))
        begin = min(begin, len(candidates))
        turned = candidates[begin:] + candidates[:begin]
        caught = trials.first(turned) or trials.first(turned, patient=True)
        if caught is None:
            return puzzle
        place, puzzle = caught
        begin = (begin + place) % len(candidates)


def _lesser(space: Space, puzzle: Any, seed: int) -> Iterator[Any]:
    """Draw puzzles that are smaller than this one, whatever they have in common with it."""
    most = space.size(puzzle)
    return (drawn for drawn in _drawn(space.puzzles, _LESSER, seed) if space.size(drawn) < most)


def _drawn(puzzles: SearchStrategy[Any], size: int, seed: int) -> Iterator[Any]:
    """Draw so many puzzles, some handfuls whenever there is need of them; a few one by one, for variety."""
    if size <= _HANDFUL:
        yield from _drawn_singly(puzzles, size, seed)
        return
    randomness = Random(seed)  # noqa: S311 - as above
    handful = min(size, _HANDFUL)
    handfuls = min(-(-size // handful) + 1, _HANDFULS)  # the first is of the simplest puzzle alone
    some = st.lists(puzzles, min_size=handful, max_size=handful)
    while size > 0:
        drawn = [puzzle for few in _drawn_singly(some, handfuls, randomness.getrandbits(64)) for puzzle in few]
        yield from drawn[:size]
        size -= len(drawn) or size


def _drawn_singly(puzzles: SearchStrategy[Any], size: int, seed: int) -> list[Any]:
    """Draw so many puzzles, and try none."""
    drawn: list[Any] = []

    def keep(puzzle: Any) -> bool:
        drawn.append(puzzle)
        return False

    _find(puzzles, keep, size, seed)
    return drawn


def _simplest(puzzles: SearchStrategy[Any], size: int, seed: int, trials: Trials) -> Any:
    """Draw the same puzzles again, and let Hypothesis simplify the first that fails; answers are known by then."""
    _find(puzzles, lambda puzzle: trials.first([puzzle]) is not None, size, seed)
    return trials.best


def _find(puzzles: SearchStrategy[Any], is_wanted: Callable[[Any], bool], size: int, seed: int) -> None:
    quick = settings(
        max_examples=size,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        find(puzzles, is_wanted, settings=quick, random=Random(seed))  # noqa: S311 - a reproducible search
    except (NoSuchExample, Flaky):  # a solution that isn't the same twice: what failed once is worth showing
        return
