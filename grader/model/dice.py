"""Draws that are the same for the same seed, on every machine and every Python.

Only `Random.random` is used: Python promises its sequence for a seed, but not that of `choice` or `sample`.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Dice:
    """A seeded generator; the seed is any text."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)  # noqa: S311 - puzzles need no secrecy

    def pick(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        return int(self._random.random() * count)

    def between(self, least: int, most: int) -> int:
        """Return a number from `least` to `most`."""
        return least + self.pick(most - least + 1)

    def choose(self, things: Sequence[T]) -> T:
        """Return one of these."""
        return things[self.pick(len(things))]

    def some(self, things: Sequence[T], count: int) -> list[T]:
        """Return so many different ones, in the order of the draw."""
        left = list(things)
        return [left.pop(self.pick(len(left))) for _ in range(min(count, len(left)))]

    def happens(self, chance: float) -> bool:
        """Tell whether something of this chance happens."""
        return self._random.random() < chance
