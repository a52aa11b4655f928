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
    for letter, (name, solution) in zip("abcde", _RIGHT.items(), strict=True):
        yield _row(f"16{letter}", name, solution, seconds=3.0 if quick else 10.0)


def _row(number: str, name: str, solution: str, *, seconds: float) -> Row:
    assignment = load_assignment(_HOME / "cases", name)
    submission = collect_one(_HOME / "reference" / "solutions" / name / "AC" / solution, assignment)
    with open_asker(assignment) as asker:
        hunt(asker, submission, Hunt(seconds=1.0), tell=lambda _: None)  # until all workers have started
        begun = perf_counter()
        found = hunt(asker, submission, Hunt(seconds=seconds, seed=1), tell=lambda _: None)
        took_s = perf_counter() - begun
    return Row(
        number=number,
        what=f"inputs of {name} that a hunt tries in a second",
        instead="(one value, no command)",
        score=at_least(found.tried / took_s, 250),
        detail=f"{found.tried} in {took_s:.1f} s",
    )
