"""Keeps what was counted of each submission on disk, so that no process has to hold a class."""

from __future__ import annotations

import struct
import tempfile
from typing import TYPE_CHECKING, Self

import msgspec

from grader.model import wire
from grader.report.view import SheetView

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SIZE = struct.Struct("!Q")
_decode = wire.decoder(SheetView).decode


class _Whose(msgspec.Struct, frozen=True):
    """As much of a view as puts it in its place."""

    submission: str


_whose = wire.decoder(_Whose).decode


class Tally:
    """Takes bare views, packed, as they come; `counted` gives them back."""

    def __init__(self) -> None:
        self._file = tempfile.NamedTemporaryFile(prefix="grader-tally-")  # noqa: SIM115 -- closed by __exit__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, packed: bytes) -> None:
        self._file.write(_SIZE.pack(len(packed)))
        self._file.write(packed)

    def written(self) -> str:
        """Return the name of the file, with all that was added."""
        self._file.flush()
        return self._file.name


def counted(path: Path) -> Iterator[tuple[SheetView, bytes]]:
    """Yield each view and its bytes by the submission's id, whatever the order in which they came."""
    with path.open("rb") as file:
        places = []
        while head := file.read(_SIZE.size):
            (size,) = _SIZE.unpack(head)
            place = file.tell()
            places.append((_whose(file.read(size)).submission, place, size))
        for _, place, size in sorted(places):
            file.seek(place)
            packed = file.read(size)
            yield _decode(packed), packed
