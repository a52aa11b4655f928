"""Keeps the programs of an earlier term in an index beside their folder; a changed folder is read again."""

from __future__ import annotations

import contextlib
import hashlib
import zlib
from array import array
from typing import TYPE_CHECKING

import msgspec

from grader.atomic_write import replacing
from grader.similar.fingerprint import LENGTH, fingerprint, levelled
from grader.similar.source_text import SourceText, lines_of, text_of, why_unfit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from grader.model.submission import Submission

_FORMAT = 1
_ONE_OF = 4
"""Of so many hashes one is kept; which one, its value decides, so that equal code keeps equal hashes."""


class OldProgram(msgspec.Struct, frozen=True, kw_only=True):
    """A program of an earlier term, and a sample of its hashes by which likely pairs are found."""

    submission: str
    text: SourceText
    sketch: bytes


class _Index(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    state: bytes
    programs: tuple[OldProgram, ...]


def index_path(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.similar")


def old_programs(
    folder: Path, assignment: str, read: Callable[[], Iterable[Submission]]
) -> tuple[tuple[OldProgram, ...], bool]:
    """Return the programs of a folder, and whether they were known; where no index can be written, none is kept."""
    path, state = index_path(folder), _state(folder, assignment)
    with contextlib.suppress(OSError, ValueError, zlib.error):
        kept = msgspec.msgpack.decode(zlib.decompress(path.read_bytes()), type=_Index)
        if (kept.format, kept.state) == (_FORMAT, state):
            return kept.programs, True
    programs = tuple(_programs(folder.name, read()))
    with contextlib.suppress(OSError), replacing(path, private=True) as file:
        index = _Index(format=_FORMAT, state=state, programs=programs)
        file.write(zlib.compress(msgspec.msgpack.encode(index)))
    return programs, False


def sketch(code: str) -> frozenset[int]:
    """Return the sample of a program's hashes; these are the same in every process."""
    letters = code.encode("utf-8", "replace")
    hashes = (zlib.crc32(letters[place : place + LENGTH]) for place in range(len(letters) - LENGTH + 1))
    return frozenset(found for found in hashes if found % _ONE_OF == 0)


def unpacked(program: OldProgram) -> frozenset[int]:
    return frozenset(array("I", program.sketch))


def _programs(term: str, submissions: Iterable[Submission]) -> Iterator[OldProgram]:
    for submission in submissions:
        text = text_of(submission)
        lines = lines_of(text)
        if not (submission.problem or why_unfit(lines)):
            found = sorted(sketch(levelled(fingerprint(lines))))
            yield OldProgram(submission=f"{term}/{submission.id}", text=text, sketch=array("I", found).tobytes())


def _state(folder: Path, assignment: str) -> bytes:
    """Return a digest of all names, sizes and times below the folder."""
    facts = [
        (str(path.relative_to(folder)), status.st_size, status.st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and (status := path.stat())
    ]
    return hashlib.sha256(repr((_FORMAT, LENGTH, _ONE_OF, assignment, facts)).encode()).digest()
