"""Find the number of moves that a program claims among its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Count = tuple[int, int, int]
"""Its line, its rank, the number."""

LABELLED, LONE, STRAY = 0, 1, 2
"""How sure it is that a number is the count: named so, alone on its line, merely there."""
NEAR = 2
"""Lines from the path within which a stray number can be the count."""

_GAP = r"\s{0,40}+"
"""White space between words: bounded and never given back, so that reading takes time by the line's length alone."""
_N = r"(?<![\w.-])(\d{1,9}+)(?!\.\d|\w)"
_LABELLED = (
    re.compile(rf"{_N}{_GAP}-?{_GAP}(?:steps?|moves?|jumps?|hops?)\b", re.IGNORECASE),
    re.compile(
        rf"\b(?:length|steps|moves|jumps|hops|count|distance|cost|depth)\b(?!{_GAP}size)[^\d\n]{{0,40}}?{_N}(?!{_GAP}:)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:total|answer|result|minimum|shortest|fewest|solution|solved)\b"
        rf"(?:\s{{1,40}}+(?:is|was|in|path)){{0,8}}+{_GAP}[:=]?{_GAP}{_N}",
        re.IGNORECASE,
    ),
)
_LONE = re.compile(r"[\s\"'(\[]{0,40}+(\d{1,9}+)[\s\"')\].!]{0,40}+")
_OTHER_UNIT = re.compile(
    rf"\d[\d.]{{0,40}}+{_GAP}"
    rf"(?:m?s|sec\w{{0,12}}+|millis\w{{0,12}}+|states?|nodes?|squares?|cells?|vertices|positions?|visited|x{_GAP}\d{{1,9}}+)\b",
    re.IGNORECASE,
)
_STRAY = re.compile(_N)
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_IN_WORDS = re.compile(rf"\b({'|'.join(_WORDS)})\b{_GAP}(?:steps?|moves?|jumps?)\b", re.IGNORECASE)
_NUMBERED = re.compile(rf"{_GAP}\(?\d{{1,9}}+[.):]{{0,2}}+{_GAP}\(\)[^\d()]{{0,40}}+")
"""`3. (2, 0)`: the number of a square in a list, with the square already taken out."""


def counts_in(lines: Iterable[str]) -> Iterator[Count]:
    """Give every number that may be the count, line by line; squares are already taken out of the lines."""
    lines = tuple(lines)
    numbered = {number for number, line in enumerate(lines) if _NUMBERED.fullmatch(line)}
    for number, printed in enumerate(lines):
        line = _OTHER_UNIT.sub("", printed)
        is_in_list = number in numbered and len(numbered) > 1
        if is_in_list or not any(letter.isdigit() for letter in line):
            continue
        found = [match for pattern in _LABELLED for match in pattern.finditer(line)]
        if found:
            yield number, LABELLED, int(max(found, key=lambda match: match.end())[1])
        elif match := _LONE.fullmatch(line.replace("()", "")):
            yield number, LONE, int(match[1])
        else:
            stray = _STRAY.findall(line)
            if len(stray) == 1:
                yield number, STRAY, int(stray[0])


def counts_in_words(lines: Iterable[str]) -> Iterator[Count]:
    """Give every `five moves`; they count only where no digits do, since `one step` may be anything."""
    for number, line in enumerate(lines):
        yield from ((number, LABELLED, _WORDS.index(match[1].lower())) for match in _IN_WORDS.finditer(line))


def nearest(counts: Iterable[Count], lines: tuple[int, int] | None) -> int | None:
    """Give the surest number near the path's lines; without a path, the last sure one."""
    if lines is None:
        sure = [count for count in counts if count[1] != STRAY]
        return sure[-1][2] if sure else None

    def distance(count: Count) -> int:
        first, last = lines
        return max(first - count[0], count[0] - last, 0)

    def order(count: Count) -> tuple[bool, bool, int, bool, int]:
        away, before = distance(count), count[0] < lines[0]
        return away > NEAR, count[1] == STRAY, away, before, count[1]

    near = [count for count in counts if count[1] != STRAY or distance(count) <= NEAR]
    return min(near, key=order)[2] if near else None
