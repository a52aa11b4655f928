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
    detail = f"{row.detail}; IN DOUBT: {row.doubt}" if row.doubt else row.detail
    return row.number, row.what, row.score.found, row.score.wanted, _MET[row.score.met], row.instead, detail


def render(rows: Sequence[Row], style: str) -> str:
    headers = ("", "measured", "ratio (spread)", "goal", "met", "÷ what one would type instead", "in figures")
    widths = None if style == "github" else (4, 34, 22, 8, 6, 40, 50)
    shown = [cells(row) for row in rows]
    if style == "github":
        shown = [tuple(cell.replace("|", r"\|") for cell in line) for line in shown]
    return tabulate(shown, headers=headers, tablefmt=style, maxcolwidths=widths, disable_numparse=True)


def write(rows: Sequence[Row], machine: Mapping[str, str], *, runs: int, took_s: float) -> None:
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    RESULTS.write_text(
        "# Measured\n\n"
        f"Written by `make bench` from the commit below. A figure is the median of {runs} runs, where it doesn't say"
        " fewer, with the lowest and the highest; most are ratios of two times, taken turn by turn: compare ratios,"
        " not seconds, with other machines. A row during which the host or other processes took part of the machine"
        " is marked.\n\n"
        f"{facts}\n- the whole bench took {took_s / 60:.0f} minutes\n\n"
        f"{render(rows, 'github')}\n"
    )
