"""Reads and compares byte streams in bounded memory."""

from __future__ import annotations

import codecs
import gzip
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.run import Stream

MOST_LINE = 1 << 16
"""Letters kept of one line; no map is wider, and a line of 10 MB must not fill the memory."""
_CHUNK = 1 << 16


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
    return lines_of(pieces_of_file(path))


def pieces_of_file(path: str) -> Iterator[bytes]:
    """Give the bytes of a stored transcript, gzipped or not."""
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
