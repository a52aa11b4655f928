"""Lists the files of a zip without trusting a word of it."""

from __future__ import annotations

import stat
import zipfile
import zlib
from typing import TYPE_CHECKING

from grader.intake.bounds import MOST_LISTED, unsafe_reason
from grader.intake.entry import Entry, Refused, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ENCRYPTED = 0x1


def list_archive(path: Path) -> Iterator[Entry | Refused]:
    """Give every plain file of the zip; links, strange names and encrypted files are refused."""
    archive = _open(path)
    members = archive.infolist()
    if len(members) > MOST_LISTED:
        raise UnreadableError(f"{path.name} lists {len(members)} files; at most {MOST_LISTED} are looked at")
    seen: set[str] = set()
    for member in members:
        if member.is_dir():
            continue
        name = member.filename.replace("\\", "/")
        while name.startswith("./"):
            name = name[2:]
        reason = _refusal(member, name) or ("named twice in the zip" if name in seen else "")
        seen.add(name)
        yield Refused(_printable(name), reason) if reason else Entry(name, member.file_size, _reader(archive, member))


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise UnreadableError(f"{path.name} can't be read as a zip: {error}") from error


def _refusal(member: zipfile.ZipInfo, name: str) -> str:
    mode = member.external_attr >> 16
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if member.flag_bits & _ENCRYPTED:
        return "encrypted"
    return unsafe_reason(name)


def _printable(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


class _reader:  # noqa: N801 - a closure that can be called
    """Reads one member, never more than asked: the declared size may lie."""

    def __init__(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
        self._archive = archive
        self._member = member

    def __call__(self, limit: int) -> bytes:
        try:
            with self._archive.open(self._member) as file:
                return file.read(limit)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise UnreadableError(f"{self._member.filename} is damaged in the zip: {error}") from error
