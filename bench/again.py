"""Row 4: grading again when nothing changed, and when one expectation changed."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench import course
from bench.commands import grade
from bench.row import Row, at_most

if TYPE_CHECKING:
    from collections.abc import Iterator

_SAME, _CHANGED = 0.08, 0.10


def measure(*, quick: bool) -> Iterator[Row]:
    people, cases = (10, 5) if quick else (60, 28)
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=cases)
        first = grade(made).wall_s
        same = median(grade(made).wall_s for _ in range(3))
        changed = median(_with_changed_expectation(made, number) for number in range(3))
    command = f"grader grade class -a lefthand, the first time ({people} × {cases} cases)"
    yield Row(
        number="4a",
        what="second grade, nothing changed",
        instead=command,
        score=at_most(same / first, _SAME),
        detail=f"{same:.2f} s ÷ {first:.2f} s",
    )
    yield Row(
        number="4b",
        what=f"second grade, one expectation of {cases} changed",
        instead=command,
        score=at_most(changed / first, _CHANGED),
        detail=f"{changed:.2f} s ÷ {first:.2f} s",
    )


def _with_changed_expectation(made: course.Course, number: int) -> float:
    """Grade with one more empty line in an expected transcript: another expectation, the same verdicts."""
    path = made.expected(number)
    path.write_text(path.read_text() + "\n")
    return grade(made).wall_s
