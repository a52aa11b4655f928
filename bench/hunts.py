"""Row 16: puzzles that a hunt puts to a right solution, each second on all cores."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from bench.row import Row, at_least
from grader.catalogue.load import load_assignment
from grader.hunt.hunt import Hunt, hunt
from grader.intake.collect import collect_one
from grader.wiring import open_asker

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOME = Path(__file__).parents[1]
_RIGHT = {
    "lefthand": "classes",
    "alice-csv": "copies_everything",
    "alice-grid": "backwards_from_goal",
    "alice-263": "copies_everything",
    "runner": "heap",
}


RUNS = 2
"""Five hunts of ten seconds each take long."""


def measure(*, quick: bool) -> Iterator[Row]:
    """Hunt where nothing is to be found: a whole search, and no shrinking."""
    rates = {name: _rate(name, solution, seconds=3.0 if quick else 10.0) for name, solution in _RIGHT.items()}
    yield Row(
        number="16",
        what="inputs that a hunt tries in a second, the slowest of five assignments",
        instead="(one value, no command)",
        score=at_least(min(rates.values()), 150),
        detail=", ".join(f"{name} {rate:.0f}" for name, rate in rates.items()),
    )


def _rate(name: str, solution: str, *, seconds: float) -> float:
    assignment = load_assignment(_HOME / "cases", name)
    submission = collect_one(_HOME / "reference" / "solutions" / name / "AC" / solution, assignment)
    with open_asker(assignment) as asker:
        hunt(asker, submission, Hunt(seconds=1.0), tell=lambda _: None)  # until all workers have started
        begun = perf_counter()
        found = hunt(asker, submission, Hunt(seconds=seconds, seed=1), tell=lambda _: None)
        return found.tried / (perf_counter() - begun)
