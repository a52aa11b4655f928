"""Grades solutions with the cases in several orders: `python tests/pipeline/order_law.py [ASSIGNMENT …]` tries all.

The law: a submission's points are those of `--all-cases`, whatever the order.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.catalogue.load import load_assignment
from grader.intake.entries import entries
from grader.pipeline.grade import grade
from grader.pipeline.prepare import ALL_CASES, prepare
from grader.prove.programs import known_programs
from grader.wiring import Settings, open_grading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from grader.pipeline.prepare import Plan

ROOT = Path(__file__).parents[2]
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
WAYS = {"in order": None, "shuffled": 1, "shuffled again": 2}


def points(name: str, paths: Sequence[Path]) -> dict[str, dict[str, float]]:
    """Return each solution's points in each way."""
    assignment = load_assignment(ROOT / "cases", name)
    found = {"all cases": _graded(prepare(assignment, timeouts=ALL_CASES), paths)}
    for way, seed in WAYS.items():
        cases = list(assignment.cases)
        if seed is not None:
            random.Random(seed).shuffle(cases)
        found[way] = _graded(prepare(replace(assignment, cases=tuple(cases))), paths)
    return found


def _graded(plan: Plan, paths: Sequence[Path]) -> dict[str, float]:
    settings = Settings(fresh=True, remember=False)
    with open_grading(settings, plan) as grading:
        return {sheet.submission: sheet.points for sheet in grade(grading, entries(paths, plan.assignment))}


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        with known_programs(load_assignment(ROOT / "cases", each)) as folder:
            by_way = points(each, sorted(folder.glob("*/*")))
        right = by_way.pop("all cases")
        for way, marks in by_way.items():
            others = {key: (right[key], mark) for key, mark in marks.items() if mark != right[key]}
            print(f"{each}, {way}: {len(others)} of {len(marks)} differ {others or ''}", flush=True)  # noqa: T201
