"""Lists the files of a zip or a tar without trusting a word of it."""

from __future__ import annotations

import io
import stat
import struct
import tarfile
import zipfile
import zlib
from functools import partial
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any

from grader.intake.offered import MOST_LISTED, MOST_UNPACKED, Offered, Refused, UnreadableError, printable
from grader.model.file_names import unsafe_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from tarfile import TarFile, TarInfo
    from zipfile import ZipFile, ZipInfo

SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
"""Names by which an archive that can be read is known."""
FOREIGN = (".rar", ".7z", ".gz", ".bz2", ".xz", ".zst", ".z", ".lz", ".lzh", ".arj", ".cab", ".dmg", ".iso", ".jar")
"""Names of archives that can't be read here."""

_STRANGERS = {b"Rar!": "a RAR archive", b"7z\xbc\xaf": "a 7z archive", b"%PDF": "a PDF"}
_ENCRYPTED = 0x1
_METHODS = frozenset({0, 8, 12})
"""Stored, deflated, bzip2."""
_MOST_TABLE_BYTES = MOST_LISTED * 400
"""The table at a zip's end, which is read whole; an entry of it seldom takes more than 150 bytes."""


def list_archive(path: Path) -> Iterator[Offered | Refused]:
    """Yield every plain file of the archive; links, strange names and encrypted files are refused."""
    try:
        with path.open("rb") as file:
            named = _listed(path, file)
    except UnreadableError:
        raise
    except Exception as error:  # a hostile archive makes the libraries raise anything
        kind = "zip" if path.suffix.lower() == ".zip" else "tar"
        reason = getattr(error, "strerror", None) or error
        raise UnreadableError(f"{printable(path.name)} can't be read as a {kind}: {reason}") from error
    yield from _without_doubles(named)


def _listed(path: Path, file: IO[bytes]) -> list[Offered | Refused]:
    head = file.read(4)
    if head in _STRANGERS:
        raise UnreadableError(f"{printable(path.name)} is {_STRANGERS[head]}; hand in a zip")
    is_zip = head.startswith(b"PK") or path.suffix.lower() == ".zip"
    return _of_zip(path, file) if is_zip else _of_tar(path, file, head)


def top_names(path: Path) -> dict[str, set[str]]:
    """Return a zip's top folders, empty ones too, each with the names of the files below it; "" has the loose files.

    Nothing is unpacked: the names come from the table at the zip's end. UnreadableError when it has none.
    """
    tops: dict[str, set[str]] = {}
    try:
        with path.open("rb") as file:
            members = _table(path, file).infolist()
    except UnreadableError:
        raise
    except Exception as error:  # as above
        raise UnreadableError(f"{printable(path.name)} can't be read as a zip") from error
    for member in members:
        top, slash, rest = printable(_plain(member.filename).lstrip("/")).partition("/")
        tops.setdefault(top if slash else "", set()).add(rest.rsplit("/", 1)[-1] if slash else top)
    return tops


def _without_doubles(named: Iterable[Offered | Refused]) -> Iterator[Offered | Refused]:
    seen: set[str] = set()
    for item in named:
        double = item.path in seen
        seen.add(item.path)
        yield Refused(item.path, "named twice in the archive") if double else item


def _of_zip(path: Path, file: IO[bytes]) -> list[Offered | Refused]:
    archive = _table(path, file)
    return [_member(archive, member) for member in archive.infolist() if not member.is_dir()]


def _table(path: Path, file: IO[bytes]) -> ZipFile:
    """Read the table at the zip's end, once the size that it claims is bearable: it takes ten times that."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 22 - 76))
    tail = file.read()
    end, large = tail.rfind(b"PK\5\6"), tail.rfind(b"PK\6\6")
    told = 0
    if end >= 0 and len(tail) >= end + 16:
        (told,) = struct.unpack_from("<I", tail, end + 12)
    if large >= 0 and len(tail) >= large + 48:
        (told,) = struct.unpack_from("<Q", tail, large + 40)
    archive = zipfile.ZipFile(path) if told <= _MOST_TABLE_BYTES else None
    if archive is None or len(archive.infolist()) > MOST_LISTED:
        raise UnreadableError(f"{printable(path.name)} lists more files than the {MOST_LISTED} that are looked at")
    return archive


def _member(archive: ZipFile, member: ZipInfo) -> Offered | Refused:
    name = _plain(member.filename)
    reason = unsafe_reason(name)
    if stat.S_ISLNK(member.external_attr >> 16):
        reason = "a symbolic link"
    elif member.flag_bits & _ENCRYPTED:
        reason = "encrypted"
    elif member.compress_type not in _METHODS:
        reason = "packed in a way that can't be read here; make the zip again"
    if reason:
        return Refused(printable(name), reason)
    return Offered(name, member.file_size, partial(_read, partial(archive.open, member), name))


def _of_tar(path: Path, file: IO[bytes], head: bytes) -> list[Offered | Refused]:
    """List a tar from memory: its members can only be found by reading all before them."""
    file.seek(0)
    raw = file.read(MOST_UNPACKED + 1)
    packer = _packer(head)
    content = packer.decompress(raw, MOST_UNPACKED + 1) if packer else raw
    if len(content) > MOST_UNPACKED:
        hint = "leave out virtual environments and data"
        raise UnreadableError(f"{printable(path.name)} unpacks to more than {MOST_UNPACKED >> 20} MiB; {hint}")
    found: list[Offered | Refused] = []
    archive = tarfile.open(fileobj=io.BytesIO(content), mode="r:")  # noqa: SIM115 - read from later, in memory only
    for member in archive:
        if len(found) > MOST_LISTED:
            raise UnreadableError(f"{printable(path.name)} lists more than {MOST_LISTED} files")
        if not member.isdir():
            found.append(_tarred(archive, member))
    return found


def _packer(head: bytes) -> Any:
    """Return what unpacks a tar that begins so; the modules are missing from some students' Pythons."""
    if head.startswith(b"\x1f\x8b"):
        return zlib.decompressobj(31)
    if head.startswith(b"BZ"):
        return import_module("bz2").BZ2Decompressor()
    if head.startswith(b"\xfd7"):
        return import_module("lzma").LZMADecompressor(memlimit=128 << 20)
    return None


def _tarred(archive: TarFile, member: TarInfo) -> Offered | Refused:
    name = _plain(member.name)
    reason = unsafe_reason(name)
    if member.issym() or member.islnk():
        reason = "a link"
    elif not member.isreg():
        reason = "no plain file"
    if reason:
        return Refused(printable(name), reason)
    return Offered(name, member.size, partial(_read, partial(archive.extractfile, member), name))


def _plain(name: str) -> str:
    name = name.replace("\\", "/")
    while name.startswith("./"):
        name = name[2:]
    return name


def _read(open_member: Any, name: str, limit: int) -> bytes:
    """Read one member, never more than asked: the declared size may lie."""
    try:
        with open_member() as file:
            content: bytes = file.read(limit)
            return content
    except Exception as error:  # as above
        raise UnreadableError(f"{name} is damaged in the archive: {error}") from error
