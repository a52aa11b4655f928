"""The reference's answer to a case; transcripts, read, compared and written as streams."""

from __future__ import annotations

import gzip
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader.atomic_write import replacing
from grader.catalogue.kits import read_puzzle
from grader.judge import registry
from grader.judge.lines import Strictness, Tolerance
from grader.model.kit import PuzzleError, Transcribed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Case
    from grader.model.kit import Kit


class FailedReferenceError(Exception):
    """The reference solver fails on a case."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the kit says that a case should store."""

    expect: dict[str, Any]
    """The expectations that the case's judge reads, as plain data."""
    transcript: Callable[[], Iterable[str]] | None = None
    """For a judge of transcripts: a function that gives the lines from the start."""

    def lines(self) -> Iterable[str]:
        return self.transcript() if self.transcript else ()


def answer(kit: Kit, case: Case) -> Answer:
    """Ask the kit; FailedReferenceError when it fails."""
    judge = registry.find(case.kind.judge)
    try:
        puzzle = read_puzzle(kit, case.input)
        expect = plain(registry.key(judge, kit, puzzle))
    except PuzzleError as error:
        raise FailedReferenceError(f"the kit can't read the input: {error.message}") from error
    except Exception as error:  # a kit is other people's code
        raise FailedReferenceError(f"the reference fails: {type(error).__name__}: {error}") from error
    if "transcript" in getattr(judge, "FILES", {}) and isinstance(kit, Transcribed):
        speaker: Transcribed = kit
        return Answer(expect=expect, transcript=lambda: speaker.transcript(puzzle))
    return Answer(expect=expect)


def plain(expect: Any) -> dict[str, Any]:
    """Return an expectation as plain data, without what isn't set."""
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(expect)) if expect is not None else {}
    return data


PACKED_FROM = 256 << 10  # characters; longer transcripts are stored as .out.gz
EXACT = Tolerance(trailing_blanks=Strictness.KEEP, empty_lines=Strictness.KEEP)

_LONGEST_LINE = 1 << 20


class LineDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The first line in which two transcripts part; None stands for the end."""

    line: int
    stored: str | None
    computed: str | None


def stored_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a `.out` or `.out.gz` file without their ends."""
    opener: Any = gzip.open if path.suffix == ".gz" else Path.open
    with opener(path, "rt", encoding="utf-8", newline="\n") as text:
        while line := text.readline(_LONGEST_LINE):
            yield line.rstrip("\r\n")


def first_difference(
    stored: Iterable[str], computed: Iterable[str], *, options: Tolerance = EXACT
) -> LineDifference | None:
    """Compare line by line, with the case's tolerances; None when they agree."""
    pairs = itertools.zip_longest(_tolerant(stored, options), _tolerant(computed, options))
    number = 0
    for left, right in pairs:
        number = left[0] if left else number + 1
        if left is None or right is None or left[1] != right[1]:
            return LineDifference(line=number, stored=left and left[2], computed=right and right[2])
    return None


def _tolerant(lines: Iterable[str], options: Tolerance) -> Iterator[tuple[int, str, str]]:
    """Yield number, text to compare and text to show of each line that counts."""
    alike = {ord(letter): group[0] for group in options.alike for letter in group}
    for number, line in enumerate(lines, 1):
        text = line.rstrip() if options.trailing_blanks is Strictness.IGNORE else line
        if text or options.empty_lines is Strictness.KEEP:
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
