"""Compares a class, each submission with each other and with those of earlier terms."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.model.similarity import Comparison, Likeness, Side
from grader.similar.clusters import clusters
from grader.similar.fingerprint import LENGTH, copydetect, fingerprint, fingerprint_of, hashes, levelled
from grader.similar.old import sketch, unpacked
from grader.similar.source_text import lines_of, text_of, why_unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.model.assignment import Assignment
    from grader.model.similarity import SourceLine
    from grader.model.submission import Submission
    from grader.similar.old import OldProgram

SHOWN = 100
"""Pairs that come with their lines; a class that is all alike would not fit into memory otherwise."""
_FEWEST = 3 * LENGTH
"""Levelled characters of its own that a submission must have: of less, everything is alike."""


_LIKELY = 0.5
"""Part of the threshold that the shared hashes of a pair must reach before their places are compared."""


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
    submissions: Iterable[Submission],
    assignment: Assignment,
    *,
    known: Sequence[str],
    threshold: float,
    old: Sequence[OldProgram] = (),
) -> Comparison:
    """Return every pair that shares at least `threshold` of one's own code; never two of an earlier term."""
    ours = hashes(known)
    programs: list[_Program] = []
    left_out: dict[str, str] = {}
    for submission in submissions:
        lines = lines_of(text_of(submission))
        reason = submission.problem or why_unfit(lines)
        taken = None if reason else fingerprint(lines, ours)
        if taken is not None and taken.token_coverage >= _FEWEST:
            programs.append(_Program(submission.id, lines, taken))
        else:
            left_out[submission.id] = reason or "almost nothing in it is the student's own"
    likely = chain(
        combinations(programs, 2), _from_before(programs, old, known=known, ours=ours, threshold=threshold)
    )
    found = sorted((pair for one, other in likely for pair in _pair(one, other, threshold)), key=_rank)
    pairs = tuple(_likeness(pair, is_shown=place < SHOWN) for place, pair in enumerate(found))
    return Comparison(
        assignment=assignment.name,
        threshold=threshold,
        compared=tuple(program.submission for program in programs),
        left_out=left_out,
        pairs=pairs,
        clusters=clusters(pairs),
        old=len(old),
    )


def _from_before(
    programs: list[_Program],
    old: Sequence[OldProgram],
    *,
    known: Sequence[str],
    ours: frozenset[int],
    threshold: float,
) -> Iterator[tuple[_Program, _Program]]:
    """Yield the pairs with an earlier term that share enough of their samples to be worth comparing."""
    everybodys = frozenset(each for text in known for each in sketch(levelled(fingerprint_of(text)))) if old else ours
    samples = [unpacked(program) - everybodys for program in old]
    having: dict[int, list[int]] = {}
    for place, sample in enumerate(samples):
        for each in sample:
            having.setdefault(each, []).append(place)
    taken: dict[int, _Program] = {}
    for program in programs if old else ():
        sample = sketch(levelled(program.fingerprint)) - everybodys
        shared = Counter(place for each in sample for place in having.get(each, ()))
        for place, count in sorted(shared.items()):
            if count < _LIKELY * threshold * min(len(sample), len(samples[place])):
                continue
            if place not in taken:
                lines = lines_of(old[place].text)
                taken[place] = _Program(old[place].submission, lines, fingerprint(lines, ours))
            yield program, taken[place]


def _rank(pair: _Pair) -> tuple[float, float, str, str]:
    return (-max(pair.shares), -min(pair.shares), pair.one.submission, pair.other.submission)


def _pair(one: _Program, other: _Program, threshold: float) -> Iterator[_Pair]:
    fewer = min(len(one.fingerprint.hashes), len(other.fingerprint.hashes))
    if len(one.fingerprint.hashes & other.fingerprint.hashes) <= _LIKELY * threshold * fewer:
        return  # comparing the places takes a hundred times as long
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
