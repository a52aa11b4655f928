"""Time limits mean the same on slow and quick machines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.model.run import Limits
from grader.pipeline import speed


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be on a machine that needs almost twice as long."""
    monkeypatch.setattr(speed, "measured", lambda: 1.8)


@given(slowness=st.floats(0, 1000))
def test_the_factor_is_what_the_machine_needs(slowness: float) -> None:
    """To a tenth, however slow; a quick machine is no stricter than the handout, and none waits for ever."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speed, "measured", lambda: slowness)
        assert speed.factor() == pytest.approx(min(8, max(1, slowness)), abs=0.0501)


def test_a_quick_machine_keeps_the_limits_and_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "measured", lambda: 0.5)
    limits = Limits(cpu_s=2, wall_s=5)
    assert speed.stretched(limits) is limits
    assert speed.slow_notes() == ()


@pytest.mark.usefixtures("slow")
def test_a_slow_machine_stretches_every_clock_and_says_so() -> None:
    """Memory and output stay as they are; the result holds the factor, so that a verdict can be explained."""
    stretched = speed.stretched(Limits(cpu_s=2, wall_s=5, tick_s=0.5, memory_mib=64))
    assert stretched == Limits(cpu_s=3.6, wall_s=9, tick_s=0.9, memory_mib=64)
    assert [(n.kind, "multiplied by 1.8" in n.message) for n in speed.slow_notes()] == [("slow-machine", True)]


def test_the_measure_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coarse clock, or one that stood still, may find nothing spent: then nothing is stretched."""
    assert 0 <= speed.measured() == speed.measured() <= speed.MOST
    monkeypatch.setattr(speed, "measured", lambda: 0.0)
    assert speed.factor() == 1
