"""Writes docs/hunts/*.md: the smallest puzzle that each wrong solution gets wrong, as `grader hunt` finds it.

python docs/make_hunts.py [ASSIGNMENT…]     takes minutes; tells on the terminal how many inputs and seconds each took
"""

from __future__ import annotations

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

    from grader.hunt.hunt import Counterexample

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "hunts"
NAMES = ("lefthand", "alice-csv", "alice-grid", "alice-263", "runner")
SECONDS = 10.0
NOT_HUNTED = frozenset({"AC", "PV"})
_WIDEST, _HIGHEST = 60, 12
_HEAD = """# What hunts find: {name}

The smallest input that `grader hunt` found for each wrong solution in `reference/solutions/{name}`, seed 0, within
{seconds:g} seconds; written by `python docs/make_hunts.py {name}`. A large input is told by its size. Solutions that
break a rule about the source (PV) give right answers, so there is nothing to hunt.
"""
_NOTHING = "Nothing was found in {seconds:g} seconds."
WHY_NOTHING = {
    "alice-csv/WA/goal_colour_counts": "Goals of generated puzzles have no colour in this format, so a hunt "
    "can't show it; the case `goal-yellow` does."
}
"""Why a hunt can't find a fault, for solutions for which that is known."""


def main() -> None:
    """Hunt in the named assignments, and write their pages."""
    PAGES.mkdir(exist_ok=True)
    for name in sys.argv[1:] or NAMES:
        parts = [_HEAD.format(name=name, seconds=SECONDS), *_found(name)]
        (PAGES / f"{name}.md").write_text("\n".join(parts))


def hunted(name: str) -> list[Path]:
    """Return the wrong solutions of an assignment whose answers are wrong."""
    paths = solutions_below(ROOT / "reference" / "solutions" / name)
    return [path for path in paths if path.parent.name not in NOT_HUNTED]


def _found(name: str) -> Iterator[str]:
    assignment = load_assignment(ROOT / "cases", name)
    for path in hunted(name):
        with open_asker(assignment) as asker:
            began, worked = time.monotonic(), _worked_s()
            found = hunt(asker, collect_one(path, assignment), Hunt(seconds=SECONDS), tell=lambda _: None)
        title = f"{path.parent.name}/{path.name}"
        spent = (
            f"{found.tried} inputs, {time.monotonic() - began:.1f} s, {_worked_s() - worked:.1f} s of all processors"
        )
        print(f"{name}/{title}: {len(found.text)} letters, {spent}", flush=True)  # noqa: T201 - it takes minutes
        yield f"## {title}\n\n{_told(f'{name}/{title}', found)}\n"


def _told(title: str, found: Counterexample) -> str:
    if found.result is None or found.kind is None:
        return WHY_NOTHING.get(title, _NOTHING.format(seconds=SECONDS))
    least = "" if found.is_smallest else ", and smaller ones may do"
    line = f"{found.result.verdict} in `{found.kind.name}`{least}"
    rows = found.text.splitlines()
    if len(rows) > _HIGHEST or max(map(len, rows), default=0) > _WIDEST:
        return f"{line}: {len(rows)} lines, {len(found.text)} letters."
    ends = " Its lines end as in Windows." if "\r\n" in found.text else ""
    ends += "" if found.text.endswith("\n") else " Its last line has no end."
    return "\n".join([f"{line}.{ends}", "", *(f"    {row}" if row else "" for row in rows)])


def _worked_s() -> float:
    """Return the processor time of this process and of all that it has waited for."""
    import resource  # noqa: PLC0415 - there is none on Windows

    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


if __name__ == "__main__":
    main()
