"""Reads a submission's files: every Python file, also inside zips, parsed within bounds."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.run import File

LARGEST = 1 << 20
"""Bytes of one source that are parsed; a file of homework has a few thousand."""
WORDS = 250_000
"""Words, signs and lines of source that are parsed for one submission: a bound for its trees (100 MiB)."""
_MEMBERS, _INFLATED = 500, 8 << 20
_WORD = re.compile(rb"[\w\x80-\xff]+|[^\w\s]|\n")


class Unreadable(NamedTuple):
    """Why a source gave no tree."""

    line: int
    column: int
    what: str
    """The parser's own words."""
    too_much: bool = False
    """It is beyond what this scan reads, rather than wrong."""


class Source:
    """One file of the submission; where it can't be parsed its tree is empty, and `problem` says why."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content
        self.is_python = PurePosixPath(path).suffix in {".py", ".pyw"}
        self.tree = ast.Module([], [])
        self.problem: Unreadable | None = None

    @cached_property
    def lines(self) -> list[str]:
        """The text as Python decodes it, or as well as can be."""
        content = self.content[:LARGEST]
        try:
            return content.decode(tokenize.detect_encoding(io.BytesIO(content).readline)[0]).split("\n")
        except (SyntaxError, ValueError, LookupError):
            return content.decode("utf-8", "replace").split("\n")

    def line(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""

    def parse(self, room: int) -> int:
        """Parse it if it has at most `room` words, signs and lines; return how many it has."""
        words = sum(1 for _, _ in zip(range(room + 1), _WORD.finditer(self.content[: LARGEST + 1]), strict=False))
        is_small = words <= room and len(self.content) <= LARGEST
        what = f"The file has {len(self.content) >> 10} KiB: too much to scan."
        tree = parse(self.content) if is_small else Unreadable(1, 1, what, too_much=True)
        self.tree, self.problem = (tree, None) if isinstance(tree, ast.Module) else (self.tree, tree)
        return words if is_small else 0


def parse(source: bytes | str) -> ast.Module | Unreadable:
    """Return the syntax tree, or why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except SyntaxError as problem:
        return Unreadable(problem.lineno or 1, max(problem.offset or 1, 1), problem.msg)
    except (RecursionError, MemoryError):
        return Unreadable(1, 1, "The code is nested too deeply to be scanned.", too_much=True)
    except (ValueError, LookupError, OverflowError) as problem:
        return Unreadable(1, 1, str(problem))


def gather(files: Iterable[File]) -> dict[str, Source]:
    """Return every file by its path, and every file inside a zip under the zip's path."""
    found: dict[str, Source] = {}
    for file in files:
        found.setdefault(file.path, Source(file.path, file.content))
        for path, content in _members(file) if file.content.startswith(b"PK\x03\x04") else ():
            found.setdefault(path, Source(path, content))
    room = WORDS
    for source in found.values():
        room -= source.parse(room) if source.is_python else 0
    return found


def _members(file: File) -> Iterator[tuple[str, bytes]]:
    import zipfile  # noqa: PLC0415 - slow to import, and archives are rare

    room = _INFLATED
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            for entry in archive.infolist()[:_MEMBERS]:
                if not entry.is_dir() and entry.file_size <= min(room, LARGEST):
                    content = archive.open(entry).read(min(room, LARGEST))
                    room -= len(content)
                    yield f"{file.path}/{entry.filename}", content
    except Exception:  # noqa: BLE001  # zipfile lets each codec's errors through
        return  # what can't be unpacked can't be imported either
