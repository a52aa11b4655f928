"""A submission as intake hands it on."""

from __future__ import annotations

import re

import msgspec

from grader.model.run import File

_HEADING = re.compile(r"# ── cell (\d{1,6}) ──")


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something intake did or missed that people should know."""

    kind: str
    """`missing-file`, `dropped`, `renamed`, `unreadable`, `too-large`, `duplicate`, …"""
    message: str
    path: str = ""


class Submission(msgspec.Struct, frozen=True, kw_only=True):
    """One student's files, safe to write below an empty folder."""

    id: str
    files: tuple[File, ...]
    """Paths are relative to the folder in which the handed-in file lies, so that it runs as at home."""
    notes: tuple[Note, ...] = ()
    problem: str = ""
    """Why it can't be graded at all: nothing found, unreadable archive, missing file; empty when it can."""
    origin: str = ""


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
