"""Row 4: grading again when nothing changed."""

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


def measure(*, quick: bool) -> Iterator[Row]:
    people, cases = (10, 5) if quick else (60, 28)
    with TemporaryDirectory() as name:
        made = course.make(Path(name), submissions=people, cases=cases)
        first = grade(made).wall_s
        same = median(grade(made).wall_s for _ in range(3))
    yield Row(
        number="4",
        what="second grade, nothing changed",
        instead=f"grader grade class -a lefthand, the first time ({people} × {cases} cases)",
        score=at_most(same / first, 0.25),
        detail=f"{same:.2f} s ÷ {first:.2f} s",
    )
