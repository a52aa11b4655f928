"""Tells which of a run's pages need no rendering again.

`sheets/style` names what all pages of a finished run were made with: the source of this room, the templates, the
reader. While a run writes, the file is away, so that an interrupted run is never taken for a finished one.
`sheets/overview` names what the class page was made from. A page is written before what vouches for it: one that is
newer was changed by somebody, and is rendered again.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import grader
from grader.again.written import Written
from grader.report.layout import SHEETS, write_atomically
from grader.report.templates import FOLDERS

if TYPE_CHECKING:
    from grader.model.verdict import Audience
    from grader.report.summary import ClassSummary


class Style:
    """What the pages below `out` were made with, before and now."""

    def __init__(self, out: Path, audience: Audience, *, published: bool) -> None:
        self._path = out / SHEETS / "style"
        self._now = _digest(f"{grader.__version__} {audience} {published}")
        try:
            self.is_same = self._path.read_text("ascii") == self._now
        except (OSError, ValueError):
            self.is_same = False
        if not self.is_same:
            self._path.unlink(missing_ok=True)

    def finish(self) -> Written:
        return write_atomically(self._path, self._now)


def untouched(page: Path, witness: Written) -> Written | None:
    """Give the page when it is no newer than the file that was written after it."""
    try:
        status = page.stat()
    except OSError:
        return None
    return Written.of(page, status) if status.st_mtime_ns <= witness.changed_ns else None


def renewed(witness: Written) -> Written:
    """Make a file that vouches for pages newer than they are."""
    os.utime(witness.path)
    return Written.of(witness.path, Path(witness.path).stat())


def essence(summary: ClassSummary, *, is_linked: bool) -> str:
    """Digest everything that a class page shows."""
    data = msgspec.msgpack.encode((summary.everything(), is_linked))
    return hashlib.blake2b(data, digest_size=20).hexdigest()


def _digest(reader: str) -> str:
    state = hashlib.blake2b(reader.encode(), digest_size=20)
    for folder in (Path(__file__).parent, *FOLDERS):
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"):
            state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()
