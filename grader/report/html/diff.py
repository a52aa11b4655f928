"""Compares two short texts line by line, with blanks made visible."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES_KEPT = 100
"""Of each text."""
_LINES_MATCHED = 60
_LINES_IN_PAGE = 128
_RUNS = (4, 16)
"""Lines of one kind in a row: of more, only the first are shown. Many comparisons in a page get the fewer."""
_AROUND = 3
"""Equal lines that stay before and after a difference."""


class Piece(msgspec.Struct, frozen=True):
    """A run of characters: `same`, `changed`, `blank` (a dot per blank) or `end` (blanks at the line's end)."""

    kind: str
    text: str


class DiffLine(msgspec.Struct, frozen=True):
    """One line: `before`, `same`, `expected` or `found`."""

    kind: str
    pieces: tuple[Piece, ...]


def compare(expected: str, found: str, before: tuple[str, ...] = (), *, of: int = 1) -> tuple[DiffLine, ...]:
    """Return the lines of both texts in one column, expected above found where they differ.

    It is one `of` so many comparisons in a page, which share its room.
    """
    lines = [DiffLine("before", _visible(line)) for line in before]
    old, new = expected.rstrip("\n").split("\n"), found.rstrip("\n").split("\n")
    left_out = max(len(old), len(new)) - _LINES_KEPT
    old, new = old[:_LINES_KEPT], new[:_LINES_KEPT]
    for is_same, ours, theirs in _blocks(old, new):
        if is_same:
            lines += [DiffLine("same", _visible(line)) for line in ours]
            continue
        pairs = [_pair(one, other) for one, other in zip_longest(ours, theirs)]
        lines += [one for one, _ in pairs if one]
        lines += [other for _, other in pairs if other]
    if left_out > 0:
        lines.append(_note(f"{left_out} more lines left out"))
    most = sorted((*_RUNS, _LINES_IN_PAGE // max(1, of)))[1]
    runs = groupby(lines, lambda line: line.kind)
    return tuple(line for kind, run in runs for line in _folded(kind, list(run), most))


def _folded(kind: str, run: list[DiffLine], most: int) -> list[DiffLine]:
    if len(run) <= (2 * _AROUND if kind == "same" else most) + 1:
        return run
    if kind == "same":
        return [*run[:_AROUND], _note(f"{len(run) - 2 * _AROUND} equal lines"), *run[-_AROUND:]]
    return [*run[:most], _note(f"{len(run) - most} more lines like these")]


def _note(words: str) -> DiffLine:
    return DiffLine("before", (Piece("same", f"⟨{words}⟩"),))


def _blocks(old: list[str], new: list[str]) -> Iterator[tuple[bool, list[str], list[str]]]:
    """Yield stretches of both texts, equal or not. Matching takes cubic time: only a few lines are matched."""
    head = next((i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), None)
    head = min(len(old), len(new)) if head is None else head
    yield True, old[:head], new[:head]
    old, new = old[head:], new[head:]
    if max(len(old), len(new)) > _LINES_MATCHED:
        yield False, old, new
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag == "equal", old[i1:i2], new[j1:j2]


def _pair(expected: str | None, found: str | None) -> tuple[DiffLine | None, DiffLine | None]:
    if expected is None or found is None:
        return (
            None if expected is None else DiffLine("expected", _visible(expected)),
            None if found is None else DiffLine("found", _visible(found)),
        )
    changed_old, changed_new = _changes(expected, found)
    return (
        DiffLine("expected", _visible(expected, changed_old)),
        DiffLine("found", _visible(found, changed_new)),
    )


def _changes(expected: str, found: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the changed places of both lines: square by square when equally long, else between the common ends."""
    if len(expected) == len(found):
        places = frozenset(i for i, (one, other) in enumerate(zip(expected, found, strict=True)) if one != other)
        return places, places
    shorter = min(len(expected), len(found))
    head = next((i for i in range(shorter) if expected[i] != found[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if expected[-1 - i] != found[-1 - i]), rest)
    return frozenset(range(head, len(expected) - tail)), frozenset(range(head, len(found) - tail))


def _visible(line: str, changed: frozenset[int] = frozenset()) -> tuple[Piece, ...]:
    end = len(line.rstrip(" \t"))
    return tuple(_runs(line, changed, end))


def _runs(line: str, changed: frozenset[int], end: int) -> Iterator[Piece]:
    run, kind = "", ""
    for place, character in enumerate(line):
        shown, look = _shown(character, place, changed, end)
        if look != kind and run:
            yield Piece(kind, run)
            run = ""
        run, kind = run + shown, look
    if run:
        yield Piece(kind, run)


def _shown(character: str, place: int, changed: frozenset[int], end: int) -> tuple[str, str]:
    shown = {" ": "·", "\t": "→\t"}.get(character, character)
    if place in changed:
        return shown, "changed"
    if shown == character:
        return shown, "same"
    return shown, "end" if place >= end else "blank"
