"""Keeps the complete sheets of a run below OUT/sheets."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.model import wire
from grader.model.result import Evidence, GradeSheet
from grader.report.layout import SHEETS, close_file, make_folder, sheet_path, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


SHEET_FORMAT = 5
"""Version of a stored sheet: a GradeSheet, its SHA-256 and a digest of its source."""
_LEVEL = 6
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
    sha256, squeezed = hashlib.sha256(packed).digest(), zlib.compress(packed, _LEVEL)
    kept = StoredSheet(format=SHEET_FORMAT, sha256=sha256, sources=_sources(sheet), sheet=squeezed)
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
    return hashlib.sha256(repr(sorted(sheet.sources.items())).encode("utf-8", "surrogatepass")).digest()


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
