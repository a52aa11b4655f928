"""Keeps the complete sheets of a run below OUT/sheets, and notes from what each page was made."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from grader import source
from grader.errors import UsageError
from grader.model.result import GradeSheet
from grader.report.layout import SHEETS, close_file, folder_name, make_folder, sheet_path, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path


SHEET_FORMAT = 2
"""Version of a stored sheet: 2 holds a packed GradeSheet and its SHA-256."""
_RUN = "run.json"
"""Names the sheets of the last run that came to its end; those of students who have left stay beside them."""


class StoredSheet(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    sha256: bytes = b""
    sheet: bytes = b""


def store(out: Path, sheet: GradeSheet) -> None:
    """Write one sheet below a folder that only its owner may enter: it holds the answers."""
    path = sheet_path(out, sheet.submission)
    make_folder(path.parent, private=True)
    path.parent.chmod(0o700)
    packed = pack_sheet(sheet)
    kept = StoredSheet(format=SHEET_FORMAT, sha256=hashlib.sha256(packed).digest(), sheet=packed)
    write_atomically(path, msgspec.msgpack.encode(kept), private=True)


_LARGEST = 2**63 - 1
_Notes = dict[str, tuple[bytes, bytes]]


class PageNotes:
    """Tells which pages need no rendering: made from the same, by the same source, and untouched since.

    Content decides both: a note holds the digest of what a page was made from, and that of the page itself.
    """

    def __init__(self, out: Path, name: str, *, keep: bool) -> None:
        """Read the notes on the pages of one submission, or of the class; without `keep` every page is rendered."""
        self._path = out / SHEETS / f"{folder_name(name)}.pages"
        self._keep = keep
        try:
            self._notes = msgspec.msgpack.decode(self._path.read_bytes(), type=_Notes) if keep else {}
        except (OSError, msgspec.MsgspecError):
            self._notes = {}

    def write(self, page: Path, made_from: str, render: Callable[[], str], *, private: bool) -> None:
        """Write the page that is made from this, unless it is there."""
        now = digest(f"{source.style().hex()} {made_from}")
        try:
            if self._notes.get(page.name) == (now, digest(page.read_bytes())):
                close_file(page)
                return
        except OSError:
            pass
        content = render().encode("utf-8", "backslashreplace")
        write_atomically(page, content, private=private)
        self._notes[page.name] = (now, digest(content))

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
    members = _members(out)
    for path in paths:
        if not members or path.stem in members:
            yield _read(path)


def _members(out: Path) -> frozenset[str]:
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
    if hashlib.sha256(kept.sheet).digest() != kept.sha256:
        raise _damaged(path, "its content isn't what was written")
    try:
        return unpack_sheet(kept.sheet)
    except msgspec.MsgspecError as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, why: object) -> UsageError:
    return UsageError(f"{path} is damaged or no stored sheet: {why}", hint="Grade the submission again.")


def pack_sheet(sheet: GradeSheet) -> bytes:
    """Return the sheet as msgpack; a number or text that msgpack can't hold is brought within its bounds."""
    try:
        return msgspec.msgpack.encode(sheet)
    except (OverflowError, UnicodeError):
        return msgspec.msgpack.encode(_bounded(msgspec.to_builtins(sheet, builtin_types=(bytes,))))


def unpack_sheet(data: bytes) -> GradeSheet:
    """Read a packed sheet; what is none raises msgspec.MsgspecError."""
    return msgspec.msgpack.decode(data, type=GradeSheet)


def _bounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {_bounded(key): _bounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_bounded(each) for each in value]
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return max(-_LARGEST, min(value, _LARGEST)) if type(value) is int else value
