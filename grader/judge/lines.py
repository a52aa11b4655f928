"""Reads and compares byte streams in bounded memory."""

from __future__ import annotations

import codecs
import gzip
from enum import StrEnum
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.run import Stream


MOST_LINE = 1 << 16
"""Letters kept of one line; no map is wider, and a line of 10 MB must not fill the memory."""
_CHUNK = 1 << 16
_AT_ONCE = 256
"""Lines translated in one step: most of the cost is in each step, whatever its length."""


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Give lines without their ends; LF, CRLF and CR all end a line, broken UTF-8 is replaced."""
    return chain.from_iterable(_lists_of(chunks))


def ended_lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Give the lines that were ended: what a stopped program wrote behind its last line end may be half a line."""
    with_rest = lines_of(chain(chunks, (b".",)))
    return (line for line, _ in pairwise(with_rest))


def _lists_of(chunks: Iterable[bytes]) -> Iterator[list[str]]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    rest = ""
    for chunk in chunks:
        text = (rest + decoder.decode(chunk)).replace("\r\n", "\n")
        held = "\r" if text.endswith("\r") else ""  # its LF may be in the next chunk
        *whole, rest = text.removesuffix("\r").replace("\r", "\n").split("\n")
        if len(chunk) > MOST_LINE:
            yield [line[:MOST_LINE] for line in whole]
        else:  # only the first line can be longer: it began in an earlier chunk
            yield [line[:MOST_LINE] for line in whole[:1]] + whole[1:]
        rest = rest[:MOST_LINE] + held
    rest += decoder.decode(b"", final=True)
    if rest:
        yield [rest.removesuffix("\r")[:MOST_LINE]]


def lines_of_file(path: str) -> Iterator[str]:
    """Give the lines of a stored transcript, gzipped or not."""
    return lines_of(_pieces_of_file(path))


def _pieces_of_file(path: str) -> Iterator[bytes]:
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as file:
        yield from iter(lambda: file.read(_CHUNK), b"")


def is_verbatim(path: str, found: Stream) -> bool:
    """Compare as bytes: what is equal here is equal under every tolerance, and most right answers are."""
    packed = path.endswith(".gz")
    if not packed and Path(path).stat().st_size != found.size:
        return False
    with gzip.open(path) if packed else Path(path).open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in found.chunks()) and not file.read(1)


class Strictness(StrEnum):
    IGNORE = "ignore"
    KEEP = "keep"


class Order(StrEnum):
    KEPT = "kept"
    ANY = "any"


def refuse_contradiction(order: Order, repeats: Strictness, tolerance: float) -> None:
    """Raise ValueError, with the key first, for options that mean nothing together."""
    if tolerance and order is Order.ANY:
        raise ValueError("tolerance needs the order kept: in any order there is no pair of numbers to compare")
    if repeats is Strictness.IGNORE and order is Order.KEPT:
        raise ValueError("repeats are ignored only with `order: any`")


class Tolerance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The `options` of the judges `transcript` and `stdout`."""

    trailing_blanks: Strictness = Strictness.IGNORE
    """Whether blanks at the end of a line count."""
    empty_lines: Strictness = Strictness.IGNORE
    """Whether empty lines count."""
    alike: tuple[str, ...] = ()
    """Groups of characters that count as the same, such as `Vv`."""
    frame_end: str = ""
    """Beginning of the line that ends a frame."""
    prompt: str = ""
    """Text that `input()` may leave glued to the first line."""

    @classmethod
    def of(cls, options: dict[str, Any]) -> Tolerance:
        return msgspec.convert(options, cls)

    def apply(self, lines: Iterable[str]) -> Iterator[str]:
        """Give the lines that count, in the form in which they are compared."""
        groups = [group.replace("\n", "") for group in self.alike]  # no line has one
        table = {ord(letter): group[0] for group in groups for letter in group}
        if self.trailing_blanks is Strictness.IGNORE:
            lines = map(str.rstrip, lines)
        if self.empty_lines is Strictness.IGNORE:
            lines = filter(None, lines)
        return chain.from_iterable(_translated(iter(lines), table)) if table else iter(lines)


def _translated(lines: Iterator[str], table: dict[int, str]) -> Iterator[list[str]]:
    while group := list(islice(lines, _AT_ONCE)):
        yield "\n".join(group).translate(table).split("\n")


def unglue(lines: Iterable[str], prompt: str, first: str) -> Iterator[str]:
    """Put a line end behind the prompt that `input(prompt)` left on the line `first`.

    A terminal shows one there, because the person pressed Enter; a pipe doesn't. A blank behind the prompt may be the
    prompt's or the line's own: whichever fits is taken.
    """
    iterator = iter(lines)
    return chain(_head(iterator, prompt, first), iterator)


def _head(lines: Iterator[str], prompt: str, first: str) -> Iterator[str]:
    """Give the lines up to the first that says something, without what is glued to the prompt there."""
    for line in lines:
        glued = line[len(prompt) :] if prompt and line.startswith(prompt) else ""
        if glued.strip():
            yield prompt
            yield glued[1:] if glued[0] == " " and glued.rstrip() != first.rstrip() else glued
        else:
            yield line
        if line.strip():
            return


def line_after(prompt: str, lines: Iterable[str]) -> str:
    """Give the first line that says something behind the prompt."""
    return next((line for line in lines if line.strip() and line.rstrip() != prompt), "")
