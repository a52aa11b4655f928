"""Has Hypothesis draw what a kit makes by dice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from grader.model.dice import Dice
from grader.model.kit import Shrinking

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from grader.model.kit import Shape

_SEEDS = (1 << 24) - 1
"""Of larger ranges Hypothesis draws small numbers again and again."""


def puzzles_of(kit: Any, *, long: bool = False) -> SearchStrategy[Any]:
    """Return the puzzles of the shapes that hunts draw, many or few of; an empty strategy where there are none."""
    shapes: dict[str, Shape] = kit.shapes()
    draw = _by_seed if isinstance(kit, Shrinking) else _by_hypothesis
    found = [draw(kit, name, shape) for name, shape in shapes.items() if shape.hunted and shape.is_long is long]
    return st.one_of(found)


def _by_seed(kit: Any, name: str, shape: Shape) -> SearchStrategy[Any]:
    """Draw a size and a seed, which is quick; the kit itself makes puzzles smaller."""
    assert shape.hunted is not None
    return st.builds(partial(_made, kit, name), st.integers(*shape.hunted), st.integers(0, _SEEDS))


def _made(kit: Any, name: str, size: int, seed: int) -> Any:
    return kit.parse(kit.vary(Dice(str(seed)), name, size))


def _by_hypothesis(kit: Any, name: str, shape: Shape) -> SearchStrategy[Any]:
    """Draw every number, so that Hypothesis can make simpler puzzles of simpler numbers."""
    assert shape.hunted is not None
    return _simplified(kit, name, shape.hunted)


@st.composite
def _simplified(draw: st.DrawFn, kit: Any, name: str, sizes: tuple[int, int]) -> Any:
    return kit.parse(kit.vary(_DrawnDice(draw), name, draw(st.integers(*sizes))))


class _DrawnDice(Dice):
    """Dice whose numbers Hypothesis draws."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__("")
        self._draw = draw

    def pick(self, count: int) -> int:
        return self._draw(st.integers(0, count - 1))

    def happens(self, chance: float) -> bool:
        return self._draw(st.integers(1, 1000)) > 1000 * (1 - chance)
