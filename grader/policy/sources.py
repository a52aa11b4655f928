"""Gathers a submission's sources: every Python file, also inside zips."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
import zipfile
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.model.run import File
from grader.policy.parse import LARGEST, Unreadable, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MEMBERS = 500
_INFLATED = 8 << 20
_ZIP = b"PK\x03\x04"
_WORDS_ONLY = bytes(code if chr(code).isalnum() or code == ord("_") else ord(" ") for code in range(128)) + bytes(128)
"""Translates what is no part of a word to a blank, five times as fast as a pattern finds the words."""


class Source:
    """One file of the submission."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self.content = content

    @property
    def is_python(self) -> bool:
        return PurePosixPath(self.path).suffix in {".py", ".pyw"}

    @cached_property
    def tree(self) -> ast.Module | Unreadable:
        return parse(self.content, self.path)

    @property
    def is_parsed(self) -> bool:
        return isinstance(self.tree, ast.Module)

    @cached_property
    def tree_or_empty(self) -> ast.Module:
        """The tree, or one without a statement where there is none."""
        return self.tree if isinstance(self.tree, ast.Module) else ast.Module([], [])

    @cached_property
    def text(self) -> str:
        """The text as Python decodes it, or as well as can be."""
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(self.content).readline)
            return self.content.decode(encoding)
        except (SyntaxError, ValueError, LookupError):
            return self.content.decode("utf-8", "replace")

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in the text, as Python reads identifiers."""
        text = self.text
        if text.isascii():
            return frozenset(text.encode().translate(_WORDS_ONLY).decode().split())
        return frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", text)))

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n") if len(self.content) <= LARGEST else []

    def line(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\r") if 0 < number <= len(self.lines) else ""


def gather(files: Iterable[File]) -> tuple[Source, ...]:
    """Give every file, and every file inside a zip under the zip's path."""
    found: dict[str, Source] = {}
    for file in files:
        found.setdefault(file.path, Source(file.path, file.content))
        if file.content.startswith(_ZIP):
            for member in _members(file):
                found.setdefault(member.path, Source(member.path, member.content))
    return tuple(found.values())


def _members(file: File) -> Iterator[File]:
    room = _INFLATED
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as archive:
            for entry in archive.infolist()[:_MEMBERS]:
                if entry.is_dir() or entry.file_size > min(room, LARGEST):
                    continue
                with archive.open(entry) as stream:
                    content = stream.read(min(room, LARGEST))
                room -= len(content)
                yield File(path=f"{file.path}/{entry.filename}", content=content)
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError):
        return  # what can't be unpacked can't be imported either
