"""Prints the rows, and writes them with the machine's data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bench.row import Row

RESULTS = Path(__file__).parent / "RESULTS.md"
_MET = {True: "yes", False: "**no**", None: ""}


def cells(row: Row) -> tuple[str, ...]:
    return row.number, row.what, row.score.found, row.score.goal, _MET[row.score.met], row.instead, row.detail


def render(rows: Sequence[Row], style: str) -> str:
    headers = ("", "measured", "ratio", "goal", "met", "÷ what one would type instead", "in figures")
    widths = None if style == "github" else (4, 34, 9, 8, 6, 44, 50)
    shown = [cells(row) for row in rows]
    if style == "github":
        shown = [tuple(cell.replace("|", r"\|") for cell in line) for line in shown]
    return tabulate(shown, headers=headers, tablefmt=style, maxcolwidths=widths, disable_numparse=True)


def write(rows: Sequence[Row], machine: Mapping[str, str], *, took_s: float) -> None:
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    RESULTS.write_text(
        "# Measured\n\n"
        "Written by `make bench`. Every figure is a ratio of two times of the same run, taken turn by turn;"
        " compare ratios, not seconds, with other machines.\n\n"
        f"{facts}\n- the whole bench took {took_s:.0f} s\n\n"
        f"{render(rows, 'github')}\n"
    )
