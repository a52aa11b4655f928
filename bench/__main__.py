"""Runs every row of the table, prints it, and writes bench/RESULTS.md.

python -m bench                 the whole table, some minutes
python -m bench --quick         smaller sizes, nothing is written
python -m bench kits cluster    some rows only, nothing is written
"""

from __future__ import annotations

import sys
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING

from bench import machine, table

if TYPE_CHECKING:
    from bench.row import Row

ROWS = (
    "one_case",
    "all_cores",
    "whole_class",
    "again",
    "growth",
    "transcript",
    "kits",
    "cluster",
    "policy",
    "sandbox",
)


def main(arguments: list[str]) -> None:
    if not {*ROWS, "--quick"}.issuperset(arguments):
        sys.exit(f"{__doc__}\nrows: {' '.join(ROWS)}")
    quick = "--quick" in arguments
    chosen = [name for name in ROWS if name in arguments] or ROWS
    facts = machine.describe()
    begun = perf_counter()
    rows: list[Row] = []
    for name in chosen:
        print(f"{name} …", file=sys.stderr, flush=True)
        rows.extend(import_module(f"bench.{name}").measure(quick=quick))
    print(table.render(rows, "simple"))
    if chosen is ROWS and not quick:
        table.write(rows, facts, took_s=perf_counter() - begun)
        print(f"\nwritten to {table.RESULTS}")


if __name__ == "__main__":
    main(sys.argv[1:])
