"""Leaves a stamp when a grade has finished and nothing changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.again import stamp as stamps
from grader.again.trees import OddError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.again.code import Source
    from grader.again.look import Look
    from grader.again.written import Written


class Keeper:
    """Notes what goes in before anything is read, and keeps it together with what came out."""

    def __init__(self, look: Look, submissions: tuple[str, ...], catalogue: tuple[str, ...]) -> None:
        self._look = look
        self._submissions = submissions
        self._catalogue = catalogue
        is_known = (look.submissions, look.catalogue) == (submissions, catalogue)
        self._data = look.data if is_known else self._digest()

    def keep(self, *, source: Source, outputs: Sequence[Written], beside: Iterable[str], text: str) -> None:
        """Leave the stamp, unless something was changed while the grade ran; files `beside` may be missing."""
        if not self._look.facts or not self._data or self._data != self._digest():
            return
        try:
            if not source.is_unchanged():
                return
            paths = (*(written.path for written in outputs), *beside)
            marks = stamps.digest_marks(paths)
            if any(_is_other(written) for written in outputs):
                return
        except (OddError, OSError):
            return
        look, data = self._look, self._data
        inputs = (look.facts, self._submissions, self._catalogue, data, source.roots, source.digest)
        stamps.write(look.arguments, stamps.Stamp(*inputs, paths, marks, text))

    def _digest(self) -> bytes:
        try:
            return stamps.digest_data(self._submissions, self._catalogue)
        except OddError:
            return b""


def _is_other(written: Written) -> bool:
    """Tell whether somebody else has put another file there."""
    mark = stamps.mark_of(written.path)
    return (mark[1:2], mark[3:5]) != ((written.inode,), (written.size, written.changed_ns))
