"""The same seed gives the same draws on every Python."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue.kits import kit_of
from grader.catalogue.load import load_assignment
from grader.model.dice import Dice
from grader.model.kit import Generating

ROOT = Path(__file__).parents[2]
OTHERS = tuple(Path.home().glob(".pyenv/versions/3.1[1-9]*/bin/python3"))
DRAWS = (
    "from grader.model.dice import Dice; d = Dice('term'); "
    "print([d.pick(1000) for _ in range(50)], d.some('abcdefgh', 5))"
)


@pytest.mark.parametrize("python", [*map(str, OTHERS), sys.executable])
def test_every_python_draws_the_same(python: str) -> None:
    """Only what Python promises for ever is used; the digest is what 3.11 drew first."""
    drawn = subprocess.run([python, "-c", DRAWS], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert hashlib.sha256(drawn.encode()).hexdigest()[:16] == "82c201ac546ef661"


def test_draws_stay_within_bounds() -> None:
    dice = Dice("bounds")
    assert {dice.between(2, 4) for _ in range(100)} == {2, 3, 4}
    assert sorted(dice.some(range(5), 9)) == [0, 1, 2, 3, 4]
    assert not dice.happens(0)


@pytest.mark.parametrize("assignment", ["alice-263", "alice-csv", "alice-grid", "lefthand", "runner"])
def test_every_shape_makes_a_puzzle_that_its_kit_reads(assignment: str) -> None:
    """Whatever a kit offers, it can make in every size, read again and measure; other dice make another puzzle."""
    for kind in load_assignment(ROOT / "cases", assignment, check_inputs=False).kinds.values():
        kit: Any = kit_of(kind)
        assert isinstance(kit, Generating)
        for name, shape in kit.shapes().items():
            for size in (None, *(shape.sizes or ())):
                text = kit.vary(Dice(f"a {name}"), name, size)
                assert text == kit.vary(Dice(f"a {name}"), name, size)
                puzzle = kit_of(kind).parse(text)
                assert {"length", "branching", "steps"} <= kit.difficulty(puzzle).keys()  # type: ignore[attr-defined]  # ours can
        several = {kit.vary(Dice(str(number)), next(iter(kit.shapes()))) for number in range(4)}
        assert len(several) == 4
