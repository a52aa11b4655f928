"""Keeps the complete sheets of a run below OUT/sheets, and notes from what each page was made."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

import msgspec

from grader import source
from grader.errors import UsageError
from grader.model import wire
from grader.model.result import Evidence, GradeSheet
from grader.report.layout import SHEETS, close_file, folder_name, make_folder, sheet_path, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


SHEET_FORMAT = 4
"""Version of a stored sheet: 4 holds a GradeSheet with packed scenes, its SHA-256 and a digest of its source."""
_LEVEL = 1  # most of it is packed already
_RUN = "run.json"
"""Names the sheets of the last run that came to its end; those of students who have left stay beside them."""


class StoredSheet(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    sha256: bytes = b""
    sources: bytes = b""
    sheet: bytes = b""


def store(out: Path, sheet: GradeSheet) -> None:
    """Write one sheet below a folder that only its owner may enter: it holds the answers."""
    _store(sheet_path(out, sheet.submission), sheet)


def _store(path: Path, sheet: GradeSheet) -> None:
    make_folder(path.parent, private=True)
    path.parent.chmod(0o700)
    packed = pack_sheet(sheet)
    sha256, sources = hashlib.sha256(packed).digest(), _sources(sheet)
    kept = StoredSheet(format=SHEET_FORMAT, sha256=sha256, sources=sources, sheet=zlib.compress(packed, _LEVEL))
    write_atomically(path, msgspec.msgpack.encode(kept), private=True)


def attempt_before(out: Path, sheet: GradeSheet, *, keep: bool) -> GradeSheet | None:
    """Return the sheet of the attempt before, without evidence: the last one in this folder with another source.

    Only the source decides what is another attempt: what came of hidden cases must not show in what students see.
    With `keep` the stored sheet becomes that attempt when the new one has another source.
    """
    path = sheet_path(out, sheet.submission)
    before = path.with_suffix(".before")
    try:
        stored = msgspec.msgpack.decode(path.read_bytes(), type=StoredSheet)
        if stored.format != SHEET_FORMAT or stored.sources == _sources(sheet):
            close_file(before)
            return _read(before)
        last = _read(path)
    except (OSError, msgspec.MsgspecError, UsageError):
        return None
    cases = (msgspec.structs.replace(case, message="", mismatch=None, evidence=Evidence()) for case in last.cases)
    bare = msgspec.structs.replace(last, cases=tuple(cases), findings=(), notes=())
    if keep:
        _store(before, bare)
    return bare


def _sources(sheet: GradeSheet) -> bytes:
    return digest(repr(sorted(sheet.sources.items())))


_Notes = dict[str, tuple[bytes, bytes]]


class PageNotes:
    """Tells which pages need no rendering: made from the same, by the same source, and untouched since.

    Content decides both: a note holds the digest of what a page was made from, and that of the page itself.
    """

    def __init__(self, out: Path, name: str, made_from: bytes, *, keep: bool) -> None:
        """Read the notes on the pages of one submission, or of the class; without `keep` every page is rendered."""
        self._path = out / SHEETS / f"{folder_name(name)}.pages"
        self._made_from = digest(source.style() + made_from)
        self._keep = keep
        try:
            self._notes = msgspec.msgpack.decode(self._path.read_bytes(), type=_Notes) if keep else {}
        except (OSError, msgspec.MsgspecError):
            self._notes = {}

    def hold(self, page: Path) -> bool:
        """Tell whether the page is there as it would be written now."""
        try:
            if self._notes.get(page.name) == (self._made_from, digest(page.read_bytes())):
                close_file(page)
                return True
        except OSError:
            pass
        return False

    def write(self, page: Path, text: str, *, private: bool) -> None:
        content = text.encode("utf-8", "backslashreplace")
        write_atomically(page, content, private=private)
        self._notes[page.name] = (self._made_from, digest(content))

    def close(self) -> None:
        if self._keep:
            make_folder(self._path.parent, private=True)
            write_atomically(self._path, msgspec.msgpack.encode(self._notes), private=True)


def digest(data: str | bytes) -> bytes:
    plain = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(plain, digest_size=source.SIZE).digest()


def store_run(out: Path, folders: Iterable[str]) -> None:
    """Note which submissions the run had; none while it is under way."""
    write_atomically(out / SHEETS / _RUN, msgspec.json.encode(sorted(folders)), private=True)


def stored(out: Path) -> Iterator[GradeSheet]:
    """Yield the sheets of the last run one by one, in the order of their file names."""
    paths = sorted((out / SHEETS).glob("*.msgpack"))
    if not paths:
        raise UsageError(
            f"{out} holds no stored run: no {SHEETS}/*.msgpack",
            hint="Name the folder that `grader grade -o` wrote.",
        )
    wanted = members(out)
    for path in paths:
        if not wanted or path.stem in wanted:
            yield _read(path)


def members(out: Path) -> frozenset[str]:
    try:
        return frozenset(msgspec.json.decode((out / SHEETS / _RUN).read_bytes(), type=tuple[str, ...]))
    except (OSError, msgspec.MsgspecError):
        return frozenset()  # every sheet, rather than none


def _read(path: Path) -> GradeSheet:
    try:
        kept = msgspec.msgpack.decode(path.read_bytes(), type=StoredSheet)
    except (OSError, msgspec.MsgspecError) as error:
        raise _damaged(path, error) from error
    if kept.format != SHEET_FORMAT:
        raise UsageError(
            f"{path} has format {kept.format}; this grader reads format {SHEET_FORMAT}",
            hint="Render it with the version of the grader that wrote it, or grade again.",
        )
    try:
        packed = zlib.decompress(kept.sheet)
        if hashlib.sha256(packed).digest() != kept.sha256:
            raise _damaged(path, "its content isn't what was written")
        return unpack_sheet(packed)
    except (msgspec.MsgspecError, zlib.error) as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, why: object) -> UsageError:
    return UsageError(f"{path} is damaged or no stored sheet: {why}", hint="Grade the submission again.")


def pack_sheet(sheet: GradeSheet) -> bytes:
    return wire.encode_bounded(sheet)


def unpack_sheet(data: bytes) -> GradeSheet:
    """Read a packed sheet; what is none raises msgspec.MsgspecError."""
    return msgspec.msgpack.decode(data, type=GradeSheet)
