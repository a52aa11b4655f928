"""Finds by large pieces that two texts are the same but for what doesn't count; a no is only a doubt.

Most right answers differ in empty lines, or in a letter that is like another: then no line is looked at for itself.
What isn't handled here, such as blanks beyond ASCII, stays a difference: line by line decides then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.judge.lines import MOST_LINE
from grader.judge.tolerance import Strictness, unglue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.judge.tolerance import Tolerance

    Pieces = Callable[[], Iterable[bytes]]
    Look = Callable[[bytes], bytes]


def is_same(expected: Pieces, found: Pieces, tolerance: Tolerance, first: str) -> bool:
    """Tell whether the texts surely are the same; `first` is the expected line behind the prompt."""
    if Strictness.KEEP in (tolerance.trailing_blanks, tolerance.empty_lines):
        return False
    table = _table(tolerance)
    looks: tuple[Look, ...] = (  # the quickest first: each but the last is stricter than the tolerance
        _without_empty_lines,
        lambda piece: _without_empty_lines(piece).translate(table),
        _without_blanks,
        lambda piece: _without_blanks(piece).translate(table),
    )
    try:
        return any(
            _are_equal(
                map(look, _whole_lines(expected())),
                map(look, _unglued(_whole_lines(found()), tolerance.prompt, first)),
            )
            for look in looks
        )
    except _LongLineError:
        return False


class _LongLineError(Exception):
    """A line is longer than lines are kept."""


def _table(tolerance: Tolerance) -> bytes:
    """Make the first of each group of letters out of all of them; groups with blanks or beyond ASCII are left out."""
    groups = [group for group in tolerance.alike if group.isascii() and not any(map(str.isspace, group))]
    pairs = [(letter, group[0]) for group in groups for letter in group]
    letters, firsts = ("".join(each).encode() for each in zip(*pairs, strict=True)) if pairs else (b"", b"")
    return bytes.maketrans(letters, firsts)


def _whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut the text anew, behind line ends; the last line gets one."""
    rest = b""
    for chunk in chunks:
        head, end, tail = chunk.rpartition(b"\n")
        if end:
            yield rest + head + end
            rest = tail
        else:
            rest += tail
        if len(rest) > MOST_LINE:
            raise _LongLineError
    yield rest + b"\n"


def _unglued(pieces: Iterator[bytes], prompt: str, first: str) -> Iterator[bytes]:
    """Put a line end behind a prompt that is glued to the very first line."""
    begin, end, rest = next(pieces).partition(b"\n")
    lines = unglue([begin.decode("utf-8", "replace")], prompt, first)
    yield "\n".join(lines).encode() + end + rest
    yield from pieces


def _without_empty_lines(text: bytes) -> bytes:
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"\n\n" in text:
        text = b"\n".join(text.split(b"\n\n"))
    return text.removeprefix(b"\n")


def _without_blanks(text: bytes) -> bytes:
    """Take away empty lines, and blanks at the end of each."""
    lines = b"\n".join(filter(None, map(bytes.rstrip, text.splitlines())))
    return lines + b"\n" if lines else b""


def _are_equal(wanted: Iterator[bytes], given: Iterator[bytes]) -> bool:
    """Compare two texts whose pieces end at different places."""
    wanted, given = filter(None, wanted), filter(None, given)
    want = got = b""
    while True:
        want, got = want or next(wanted, b""), got or next(given, b"")
        size = min(len(want), len(got))
        if want[:size] != got[:size] or not size:
            return want == got
        want, got = want[size:], got[size:]
