"""Has Hypothesis draw what a kit makes by dice, for laws about its puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from grader.hunt.puzzle_files import hunted
from grader.model.dice import Dice

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_SEEDS = (1 << 24) - 1
"""Of larger ranges Hypothesis draws small numbers again and again."""


def puzzles_of(kit: Any) -> SearchStrategy[Any]:
    """Return the puzzles of the shapes that hunts draw."""
    sizes = ((name, shape.hunted) for name, shape in hunted(kit) if shape.hunted)
    return st.one_of(
        [st.builds(_Made(kit, name), st.integers(*size), st.integers(0, _SEEDS)) for name, size in sizes]
    )


class _Made:
    def __init__(self, kit: Any, name: str) -> None:
        self._kit, self._name = kit, name

    def __call__(self, size: int, seed: int) -> Any:
        return self._kit.parse(self._kit.vary(Dice(str(seed)), self._name, size))
