"""Keeps complete sheets of a run, and gives them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from grader.errors import UsageError
from grader.model.result import GradeSheet
from grader.report.layout import SHEETS, holds, sheet_path, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from grader.again.written import Written

SHEET_FORMAT = 1
"""Version of a stored sheet: 1 holds a GradeSheet as msgpack."""


class StoredSheet(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    sheet: GradeSheet


def store(out: Path, sheet: GradeSheet) -> Written:
    """Write one sheet below a folder that only its owner may enter: it holds the answers."""
    path = sheet_path(out, sheet.submission)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    return write_atomically(path, _packed(sheet))


def find_stored(out: Path, sheet: GradeSheet) -> Written | None:
    """Give the folder's file with this very sheet, if it holds one."""
    return holds(sheet_path(out, sheet.submission), _packed(sheet))


def _packed(sheet: GradeSheet) -> bytes:
    return msgspec.msgpack.encode(StoredSheet(format=SHEET_FORMAT, sheet=sheet))


def stored(out: Path) -> Iterator[GradeSheet]:
    """Give a run's sheets one by one, in the order of their file names."""
    paths = sorted((out / SHEETS).glob("*.msgpack"))
    if not paths:
        raise UsageError(
            f"{out} holds no stored run: no {SHEETS}/*.msgpack",
            hint="Name the folder that `grader grade -o` wrote.",
        )
    decoder = msgspec.msgpack.Decoder(StoredSheet)
    for path in paths:
        yield _read(decoder, path)


def _read(decoder: msgspec.msgpack.Decoder[StoredSheet], path: Path) -> GradeSheet:
    try:
        kept = decoder.decode(path.read_bytes())
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path} is no stored sheet: {error}", hint="Grade the submission again.") from error
    if kept.format != SHEET_FORMAT:
        raise UsageError(
            f"{path} has format {kept.format}; this grader reads format {SHEET_FORMAT}",
            hint="Render it with the version of the grader that wrote it.",
        )
    return kept.sheet
