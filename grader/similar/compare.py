"""Compares a class, each submission with each other and with those of earlier terms.

copydetect levels the code (names, texts and comments don't count) and hashes it. We keep every hash and choose none
by winnowing: Python seeds its hashes anew in each process, so that the choice would differ from run to run. All
Python files of a submission are one program, so that moving code to another file hides nothing.
"""

from __future__ import annotations

import io
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.errors import UsageError
from grader.model.similarity import Cluster, Comparison, Likeness, Side, SourceLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from grader.model.assignment import Assignment
    from grader.model.submission import Submission

SHOWN = 100
"""Pairs that come with their lines; a class that is all alike would not fit into memory otherwise."""
LENGTH = 25
"""Levelled characters that must be equal in a row to be called alike: about two statements."""
_FEWEST = 3 * LENGTH
"""Levelled characters of its own that a submission must have: of less, everything is alike."""
_MOST_CHARACTERS = 300_000
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
    old: Iterable[Submission] = (),
) -> Comparison:
    """Return every pair that shares at least `threshold` of one's own code; never two of an earlier term.

    Those of earlier terms are read one by one, and only what is like one of the class stays in memory.
    """
    everybodys = frozenset(found for text in known for found in _fingerprint(text).hashes)
    programs: list[_Program] = []
    left_out: dict[str, str] = {}
    for submission in submissions:
        program = _program(submission, everybodys)
        if isinstance(program, str):
            left_out[submission.id] = program
        else:
            programs.append(program)
    found = [pair for one, other in combinations(programs, 2) for pair in _pair(one, other, threshold)]
    earlier = 0
    for program in (_program(submission, everybodys) for submission in old):
        if not isinstance(program, str):
            earlier += 1
            found += (pair for one in programs for pair in _pair(one, program, threshold))
    pairs = tuple(_likeness(pair, is_shown=place < SHOWN) for place, pair in enumerate(sorted(found, key=_rank)))
    return Comparison(
        assignment=assignment.name,
        threshold=threshold,
        compared=tuple(program.submission for program in programs),
        left_out=left_out,
        pairs=pairs,
        clusters=clusters(pairs),
        old=earlier,
    )


def clusters(pairs: Sequence[Likeness]) -> tuple[Cluster, ...]:
    """Return the groups of three and more that pairs hold together, the largest first."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (over := above.setdefault(name, name)) != name:
            above[name] = name = above[over]
        return name

    for pair in pairs:
        above[top(pair.first.submission)] = top(pair.second.submission)
    members, shares = defaultdict(list), defaultdict(list)
    for name in sorted(above):
        members[top(name)].append(name)
    for pair in pairs:
        shares[top(pair.first.submission)].append(pair.share)
    made = (
        Cluster(members=tuple(names), pairs=len(shares[first]), least=min(shares[first]), most=max(shares[first]))
        for first, names in members.items()
        if len(names) > 2
    )
    return tuple(sorted(made, key=lambda cluster: (-len(cluster.members), cluster.members)))


def _program(submission: Submission, everybodys: frozenset[int]) -> _Program | str:
    """Return the submission as one program, or why it isn't compared."""
    lines = tuple(_lines(submission))
    characters = sum(len(line.text) + 1 for line in lines)
    if submission.problem or characters > _MOST_CHARACTERS:
        return submission.problem or f"its {characters} characters are too many to compare"
    taken = _without(_fingerprint("\n".join(line.text for line in lines)), everybodys)
    if taken.token_coverage < _FEWEST:
        return "almost nothing in it is the student's own"
    return _Program(submission.id, lines, taken)


def _lines(submission: Submission) -> Iterator[SourceLine]:
    """Yield the lines of all Python files but empty ones at the top: the lexer drops them, and places would shift."""
    has_begun = False
    for file in sorted(submission.files, key=lambda file: file.path):
        text = file.content.decode("utf-8-sig", errors="replace") if file.path.endswith(".py") else ""
        lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").split("\n")
        for number, line in enumerate(lines if file.path.endswith(".py") else (), 1):
            has_begun = has_begun or bool(line)
            if has_begun:
                yield SourceLine(path=file.path, number=number, text=line)


def _fingerprint(text: str) -> Any:
    """Return the hashes of levelled code, with their places; UsageError says how to get the library."""
    try:
        from copydetect import CodeFingerprint  # noqa: PLC0415 -- an extra: it brings numpy and matplotlib
    except ImportError as problem:
        raise UsageError(
            f"comparing submissions needs copydetect ({problem})", hint="pip install 'maze-grader[similar]'"
        ) from problem
    return CodeFingerprint("program.py", LENGTH, 1, language="python", fp=io.StringIO(text))


def _without(fingerprint: Any, known: frozenset[int]) -> Any:
    """Take known hashes away; the library's own way keeps some when a program repeats itself."""
    from copydetect.utils import get_token_coverage  # noqa: PLC0415 -- as above

    fingerprint.hashes -= known
    kept = {found: places for found, places in fingerprint.hash_idx.items() if found in fingerprint.hashes}
    fingerprint.hash_idx = kept
    fingerprint.token_coverage = get_token_coverage(kept, LENGTH, len(fingerprint.filtered_code))
    return fingerprint


def _rank(pair: _Pair) -> tuple[float, float, str, str]:
    return (-max(pair.shares), -min(pair.shares), pair.one.submission, pair.other.submission)


def _pair(one: _Program, other: _Program, threshold: float) -> Iterator[_Pair]:
    from copydetect import compare_files  # noqa: PLC0415 -- as above

    fewer = min(len(one.fingerprint.hashes), len(other.fingerprint.hashes))
    if len(one.fingerprint.hashes & other.fingerprint.hashes) <= _LIKELY * threshold * fewer:
        return  # comparing the places takes a hundred times as long
    characters, shares, slices = compare_files(one.fingerprint, other.fingerprint)
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
