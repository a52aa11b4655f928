"""Time limits mean the same on slow and quick machines."""

from __future__ import annotations

import pytest

from grader.model.run import Limits
from grader.pipeline import speed


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a machine that needs a little more than twice as long."""
    monkeypatch.setattr(speed, "measured", lambda: 2.3)


@pytest.mark.parametrize(
    ("slowness", "factor"), [(0.3, 1), (1.0, 1), (1.9, 1), (2.0, 2), (3.9, 2), (5.0, 4), (500, 8)]
)
def test_the_factor_is_a_bounded_power_of_two(slowness: float, factor: int) -> None:
    """A quick machine is no stricter than the handout, a busy minute changes nothing, no machine waits for ever."""
    assert speed.factor(slowness) == factor


def test_a_quick_machine_keeps_the_limits_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "measured", lambda: 0.5)
    limits = Limits(cpu_s=2, wall_s=5)
    assert speed.stretched(limits) is limits
    assert speed.slow_notes() == ()


@pytest.mark.usefixtures("slow")
def test_a_slow_machine_stretches_every_clock_and_says_so() -> None:
    """Memory and output stay as they are; the result holds the factor, so that a verdict can be explained."""
    stretched = speed.stretched(Limits(cpu_s=2, wall_s=5, tick_s=0.5, memory_mib=64))
    assert stretched == Limits(cpu_s=4, wall_s=10, tick_s=1.0, memory_mib=64)
    assert [(note.kind, "multiplied by 2" in note.message) for note in speed.slow_notes()] == [("slow-machine", True)]


def test_the_measure_is_taken_once() -> None:
    """A coarse clock, or one that stood still, may find nothing spent: then nothing is stretched."""
    assert 0 <= speed.measured() == speed.measured() <= speed.MOST
    assert speed.factor(0.0) == 1
