"""A scene comes back from its packed form as it was."""

from __future__ import annotations

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.model.scene import PackedScene, Scene, Square

NUMBERS = st.integers(-(2**40), 2**40)
SQUARES = st.builds(
    Square, row=NUMBERS, column=NUMBERS, look=st.sampled_from(["square", "face-main"]), text=st.text(max_size=2)
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine breaks no law
@given(st.lists(SQUARES))
def test_squares_come_back_in_order(squares: list[Square]) -> None:
    """Whatever a kit draws, twice on a square or off the board, is kept as it drew it."""
    scene = Scene(rows=3, columns=3, squares=tuple(squares), names={"face-main": "your head"})
    assert PackedScene.of(scene).unpack() == scene


def test_squares_that_look_alike_take_little() -> None:
    """A board of ten thousand equal squares takes less than a tenth of a byte for each."""
    squares = tuple(Square(row=n // 100, column=n % 100, arrows=("N", "SE"), tone="red") for n in range(10_000))
    packed = PackedScene.of(Scene(rows=100, columns=100, squares=squares))
    assert len(packed.data) < len(squares) / 10
    assert len(msgspec.msgpack.encode(packed.unpack())) > 40 * len(squares)
