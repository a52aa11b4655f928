"""Runs every row of the table several times, prints it, and writes bench/RESULTS.md.

python -m bench                 the whole table five times, some 15 minutes on two quiet cores
python -m bench --quick         smaller sizes, once; nothing is written
python -m bench pages hunts     some rows only, once; nothing is written
python -m bench --runs 3 hunts  the same, three times
"""

from __future__ import annotations

import sys
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from bench import machine, table
from bench.row import merged

if TYPE_CHECKING:
    from bench.row import Row

ROWS = (
    "one_case",
    "all_cores",
    "whole_class",
    "again",
    "growth",
    "realistic",
    "front_door",
    "pages",
    "site",
    "hunts",
)
_RUNS = 5


def main(arguments: list[str]) -> None:
    words = list(arguments)
    quick = "--quick" in words
    runs = int(words.pop(words.index("--runs") + 1)) if "--runs" in words[:-1] else 0
    if not {*ROWS, "--quick", "--runs"}.issuperset(words):
        sys.exit(f"{__doc__}\nrows: {' '.join(ROWS)}")
    chosen = [name for name in ROWS if name in words] or ROWS
    is_whole = chosen is ROWS and not quick
    runs = runs or (_RUNS if is_whole else 1)
    facts = machine.describe()
    begun = perf_counter()
    rows: list[Row] = []
    for name in chosen:
        began = perf_counter()
        rows += measured(name, runs=runs, quick=quick)
        print(f"{name} took {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    print(table.render(rows, "simple"))
    if is_whole and machine.is_committed():
        table.write(rows, facts, runs=runs, took_s=perf_counter() - begun)
        print(f"\nwritten to {table.RESULTS}")
    elif is_whole:
        print("\nnot written: there are changes that are in no commit, and the table names one")


def measured(name: str, *, runs: int, quick: bool) -> list[Row]:
    """Give the rows of one module, each from all its runs; one that takes minutes may ask for fewer."""
    module = import_module(f"bench.{name}")
    wanted, runs = runs, min(runs, getattr(module, "RUNS", runs))
    found: dict[str, list[Row]] = {}
    for run in range(runs):
        print(f"{name} {run + 1}/{runs} …", file=sys.stderr, flush=True)
        before = machine.Ticks.now()
        for row in module.measure(quick=quick):
            doubt = machine.doubt_since(before)
            found.setdefault(row.number, []).append(msgspec.structs.replace(row, doubt=doubt))
    fewer = f"{runs} run{'s' if runs > 1 else ''}" if runs < wanted else ""
    return [merged(same, fewer) for same in found.values()]


if __name__ == "__main__":
    main(sys.argv[1:])
