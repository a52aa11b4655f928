"""Says in which cell of a notebook a line of its module is."""

from __future__ import annotations

import re

_HEADING = re.compile(r"# ── cell (\d{1,6}) ──")


def heading(number: int) -> str:
    """Return the comment with which a cell begins."""
    return f"# ── cell {number} ──"


def cell_of(source: str, line: int) -> str:
    """Return `cell 3, line 2` for a line of a notebook's module; empty where there are no cells."""
    for above, text in enumerate(reversed(source.split("\n")[:line])):
        found = _HEADING.fullmatch(text)
        if found:
            return f"cell {found[1]}, line {above}"
    return ""
