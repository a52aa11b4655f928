"""Reads, compares and writes transcripts as streams."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.catalogue.replace import replacing
from grader.model.options import TextOptions, Whitespace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PACKED_FROM = 256 << 10  # characters; longer transcripts are stored as .out.gz
EXACT = TextOptions(trailing_blanks=Whitespace.KEEP, empty_lines=Whitespace.KEEP)

_LONGEST_LINE = 1 << 20


class LineDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first line in which two transcripts part; None stands for the end."""

    line: int
    stored: str | None
    computed: str | None


def stored_lines(path: Path) -> Iterator[str]:
    """Give the lines of a `.out` or `.out.gz` file without their ends."""
    opener: Any = gzip.open if path.suffix == ".gz" else Path.open
    with opener(path, "rt", encoding="utf-8", newline="\n") as text:
        while line := text.readline(_LONGEST_LINE):
            yield line.rstrip("\r\n")


def first_difference(
    stored: Iterable[str], computed: Iterable[str], *, options: TextOptions = EXACT
) -> LineDifference | None:
    """Compare line by line, with the case's tolerances; None when they agree."""
    pairs = itertools.zip_longest(_tolerant(stored, options), _tolerant(computed, options))
    number = 0
    for left, right in pairs:
        number = left[0] if left else number + 1
        if left is None or right is None or left[1] != right[1]:
            return LineDifference(line=number, stored=left and left[2], computed=right and right[2])
    return None


def _tolerant(lines: Iterable[str], options: TextOptions) -> Iterator[tuple[int, str, str]]:
    """Give number, text to compare and text to show of each line that counts."""
    alike = {ord(letter): group[0] for group in options.alike for letter in group}
    for number, line in enumerate(lines, 1):
        text = line.rstrip() if options.trailing_blanks is Whitespace.IGNORE else line
        if text or options.empty_lines is Whitespace.KEEP:
            yield number, text.translate(alike), line


def is_long(lines: Iterable[str]) -> bool:
    """Tell whether a transcript is better stored packed."""
    total = 0
    for line in lines:
        total += len(line) + 1
        if total > PACKED_FROM:
            return True
    return False


def write_transcript(path: Path, lines: Iterable[str]) -> None:
    """Write the lines to a `.out` or `.out.gz` file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        if path.suffix == ".gz":
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
                packed.writelines(f"{line}\n".encode() for line in lines)
        else:
            file.writelines(f"{line}\n".encode() for line in lines)
