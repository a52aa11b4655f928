"""Searches for a puzzle that a solution gets wrong, and shrinks it.

Puzzles are drawn and tried a batch at a time; the next are drawn while others run, so that all cores have work. Of a
batch the first that fails counts, so for one seed the outcome is the same however many cores there are.
"""

from __future__ import annotations

import time
from itertools import chain, count, islice, repeat
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from grader.model.dice import Dice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_ROUNDS = (20, 100, 400)
"""Puzzles per round, the last for all further ones."""
_LONG_ROUND = 4
"""Long puzzles after each round."""
_BATCHES = (2, 8, 16, 64, 256)
"""Puzzles tried at a time, the last for all further ones: enough for some cores, few to be tried for nothing."""
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
    """Where to search: how puzzles are drawn, and how each can be made smaller."""

    draw: Any
    """Draws a puzzle by the dice."""
    draw_long: Any = None
    """Draws one that takes long; a few are tried between many quick ones."""
    smaller: Any
    size: Any = len
    """Measures a puzzle; of two that fail the smaller one is shown."""

    def puzzles(self, seed: int) -> Iterator[Any]:
        """Draw puzzles without end."""
        dice = (Dice(f"{seed} {number}") for number in count())
        for size in chain(_ROUNDS, repeat(_ROUNDS[-1])):
            yield from map(self.draw, islice(dice, size))
            if self.draw_long is not None:
                yield from map(self.draw_long, islice(dice, _LONG_ROUND))

    def lesser(self, puzzle: Any, seed: str) -> Iterator[Any]:
        """Draw puzzles that are smaller than this one, whatever they have in common with it."""
        most = self.size(puzzle)
        drawn = (self.draw(Dice(f"{seed} {number}")) for number in range(_LESSER))
        return (each for each in drawn if self.size(each) < most)


class TimeIsUp(Exception):  # noqa: N818 - no error: it ends a search
    """The time is over."""


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
    try:
        trials.first(space.puzzles(seed))
    except TimeIsUp:
        return Found(puzzle=trials.best, tried=trials.tried)
    return shrink_within(trials.best, trials, space, seed=seed)


def shrink_within(puzzle: Any, trials: Trials, space: Space, *, seed: int = 0) -> Found:
    """Shrink a puzzle that fails, as far as the time allows."""
    trials.best = puzzle
    is_smallest = False
    try:
        for number in count():
            least = shrink(trials.best, trials, space.smaller)
            is_smallest = True
            if trials.first(space.lesser(least, f"{seed} lesser {number}")) is None:
                break
            is_smallest = False
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
