"""Compares a class, each submission with each other."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.model.similarity import Comparison, Likeness, Side, SourceLine
from grader.similar.fingerprint import LENGTH, copydetect, fingerprint, hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Assignment
    from grader.model.submission import Submission

_MOST_CHARACTERS = 300_000
SHOWN = 100
"""Pairs that come with their lines; a class that is all alike would not fit into memory otherwise."""
_FEWEST = 3 * LENGTH
"""Levelled characters of its own that a submission must have: of less, everything is alike."""


class _Program(NamedTuple):
    submission: str
    lines: tuple[SourceLine, ...]
    fingerprint: Any


class _Pair(NamedTuple):
    one: _Program
    other: _Program
    characters: int
    shares: tuple[float, float]
    slices: tuple[Any, Any]


def compare(
    submissions: Iterable[Submission], assignment: Assignment, *, known: Iterable[str], threshold: float
) -> Comparison:
    """Return every pair that shares at least `threshold` of one's own code."""
    ours = hashes(known)
    programs: list[_Program] = []
    left_out: dict[str, str] = {}
    for submission in submissions:
        lines = source_lines(submission)
        reason = submission.problem or _too_long(lines)
        taken = None if reason else fingerprint(lines, ours)
        if taken is not None and taken.token_coverage >= _FEWEST:
            programs.append(_Program(submission.id, lines, taken))
        else:
            left_out[submission.id] = reason or "almost nothing in it is the student's own"
    found = (pair for one, other in combinations(programs, 2) for pair in _pair(one, other, threshold))
    return Comparison(
        assignment=assignment.name,
        threshold=threshold,
        compared=tuple(program.submission for program in programs),
        left_out=left_out,
        pairs=tuple(_likeness(pair, is_shown=place < SHOWN) for place, pair in enumerate(sorted(found, key=_rank))),
    )


def _rank(pair: _Pair) -> tuple[float, float, str, str]:
    return (-max(pair.shares), -min(pair.shares), pair.one.submission, pair.other.submission)


def source_lines(submission: Submission) -> tuple[SourceLine, ...]:
    """Return all Python files as one program, so that moving code to another file hides nothing."""
    lines = [
        SourceLine(path=file.path, number=number, text=text)
        for file in sorted(submission.files, key=lambda file: file.path)
        if file.path.endswith(".py")
        for number, text in enumerate(_text(file.content).split("\n"), 1)
    ]
    first = next((place for place, line in enumerate(lines) if line.text), 0)
    return tuple(lines[first:])  # the lexer drops empty lines at the top, and places would shift


def _text(content: bytes) -> str:
    text = content.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")


def _too_long(lines: tuple[SourceLine, ...]) -> str:
    characters = sum(len(line.text) + 1 for line in lines)
    return f"its {characters} characters are too many to compare" if characters > _MOST_CHARACTERS else ""


def _pair(one: _Program, other: _Program, threshold: float) -> Iterator[_Pair]:
    if one.fingerprint.hashes.isdisjoint(other.fingerprint.hashes):
        return
    characters, shares, slices = copydetect().compare_files(one.fingerprint, other.fingerprint)
    first, second = (min(1.0, float(share)) for share in shares)  # above 1 where known code lies between
    if max(first, second) >= threshold:
        yield _Pair(one, other, int(characters), (first, second), slices)


def _likeness(pair: _Pair, *, is_shown: bool) -> Likeness:
    first, second = (
        Side(submission=program.submission, share=share, lines=_marked(program.lines, slices) if is_shown else ())
        for program, share, slices in zip((pair.one, pair.other), pair.shares, pair.slices, strict=True)
    )
    return Likeness(first=first, second=second, characters=pair.characters)


def _marked(lines: tuple[SourceLine, ...], slices: Any) -> tuple[SourceLine, ...]:
    """Mark the lines that the slices of the whole text touch."""
    spans = [(int(start), int(end)) for start, end in zip(*slices, strict=True)]
    marked: list[SourceLine] = []
    place = 0
    for line in lines:
        end = place + len(line.text)
        is_shared = bool(line.text.strip()) and any(start < end and place < stop for start, stop in spans)
        marked.append(msgspec.structs.replace(line, is_shared=True) if is_shared else line)
        place = end + 1
    return tuple(marked)
