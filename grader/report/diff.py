"""Compares two short texts line by line, with blanks made visible."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES_KEPT = 200


class Piece(msgspec.Struct, frozen=True):
    """A run of characters: `same`, `changed`, `blank` (a dot per blank) or `end` (blanks at the line's end)."""

    kind: str
    text: str


class DiffLine(msgspec.Struct, frozen=True):
    """One line: `before`, `same`, `expected` or `found`."""

    kind: str
    pieces: tuple[Piece, ...]


def compare(expected: str, found: str, before: tuple[str, ...] = ()) -> tuple[DiffLine, ...]:
    """Give the lines of both texts in one column, expected above found where they differ."""
    lines = [DiffLine("before", _visible(line)) for line in before]
    old, new = expected.rstrip("\n").split("\n"), found.rstrip("\n").split("\n")
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            lines += [DiffLine("same", _visible(line)) for line in old[i1:i2]]
            continue
        pairs = [_pair(one, other) for one, other in zip_longest(old[i1:i2], new[j1:j2])]
        lines += [one for one, _ in pairs if one]
        lines += [other for _, other in pairs if other]
    if len(lines) > _LINES_KEPT:
        left_out = Piece("same", f"⟨{len(lines) - _LINES_KEPT} more lines left out⟩")
        lines = [*lines[:_LINES_KEPT], DiffLine("before", (left_out,))]
    return tuple(lines)


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
    """Give the changed places of both lines: square by square when equally long, else between the common ends."""
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
