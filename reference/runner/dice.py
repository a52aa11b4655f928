"""A tiny seeded generator that no Python version can change."""

from __future__ import annotations

_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407
_MODULUS = 1 << 64


class Dice:
    """A linear congruential generator, of which the upper bits are used."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2 + 1) % _MODULUS
        self.pick(1)

    def pick(self, count: int) -> int:
        """Give a number from 0 to `count` - 1."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) % _MODULUS
        return (self._state >> 33) % count
