"""Writes docs/hunts.md: the smallest puzzle that each wrong solution gets wrong, as `grader hunt` finds it.

python docs/make_hunts.py [ASSIGNMENT…]     takes minutes; figures are of the machine that it runs on
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from grader.catalogue.load import load_assignment
from grader.hunt.hunt import Hunt, hunt
from grader.intake.collect import collect_one
from grader.prove.matrix import solutions_below
from grader.wiring import open_asker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment

ROOT = Path(__file__).parents[1]
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
SECONDS = 10.0
_HEAD = """# What hunts find

`grader hunt` on every wrong solution of `reference/solutions`, {seconds:g} seconds each; written by
`python docs/make_hunts.py`. *Letters* is the length of the smallest input that was found. A solution that breaks a
rule about the source (PV) gives right answers, so there is nothing to hunt. On this run {rate:.0f} inputs were tried
a second (load {load:.1f} on {cores} cores).
"""


def main() -> None:
    """Hunt in the named assignments, and write the page when all were hunted in."""
    names = sys.argv[1:] or NAMES
    tried = spent = 0.0
    parts = []
    for name in names:
        rows = [
            "",
            f"## {name}",
            "",
            "| solution | found | letters | inputs tried | seconds |",
            "|---|---|--:|--:|--:|",
        ]
        for row, count, seconds in _rows(load_assignment(ROOT / "cases", name)):
            tried, spent = tried + count, spent + seconds
            rows.append(row)
            print(row, flush=True)  # noqa: T201 - it takes minutes
        parts += rows
    told = {"seconds": SECONDS, "rate": tried / spent, "load": os.getloadavg()[2], "cores": os.cpu_count()}
    if not sys.argv[1:]:
        (ROOT / "docs" / "hunts.md").write_text("\n".join([_HEAD.format(**told).rstrip(), *parts, ""]))
    print(f"{told['rate']:.0f} inputs a second, load {told['load']:.1f}")  # noqa: T201


def _rows(assignment: Assignment) -> Iterator[tuple[str, int, float]]:
    paths = solutions_below(ROOT / "reference" / "solutions" / assignment.name)
    with open_asker(assignment) as asker:
        for path in paths:
            if path.parent.name in {"AC", "PV"}:
                continue
            began = time.monotonic()
            found = hunt(asker, collect_one(path, assignment), Hunt(seconds=SECONDS), tell=lambda _: None)
            seconds = time.monotonic() - began
            what = (
                "nothing"
                if found.result is None
                else f"{found.result.verdict}{'' if found.is_smallest else ' (not the smallest)'}"
            )
            letters = "" if found.result is None else str(len(found.text))
            row = f"| {path.parent.name}/{path.name} | {what} | {letters} | {found.tried} | {seconds:.1f} |"
            yield row, found.tried, seconds


if __name__ == "__main__":
    main()
