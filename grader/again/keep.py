"""Leaves a stamp when a grade has finished and nothing changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.again import stamp as stamps
from grader.again.trees import OddError

if TYPE_CHECKING:
    from collections.abc import Iterable

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

    def keep(self, *, source: Source, outputs: Iterable[Written], beside: Iterable[str], text: str) -> None:
        """Leave the stamp, unless something was changed while the grade ran; files `beside` may be missing."""
        if not self._look.facts or not self._data or self._data != self._digest():
            return
        try:
            if not source.is_unchanged():
                return
            marks = (*map(_output, outputs), *(stamps.Output(path, stamps.mark_of(path)) for path in beside))
        except (OddError, OSError):
            return
        look, data = self._look, self._data
        inputs = (look.facts, self._submissions, self._catalogue, data, source.roots, source.digest)
        stamps.write(look.arguments, stamps.Stamp(*inputs, marks, text))

    def _digest(self) -> bytes:
        try:
            return stamps.digest_data(self._submissions, self._catalogue)
        except OddError:
            return b""


def _output(written: Written) -> stamps.Output:
    mark = stamps.mark_of(written.path)
    if (mark[1:2], mark[3:5]) != ((written.inode,), (written.size, written.changed_ns)):
        raise OddError(f"{written.path} was changed by somebody else")
    return stamps.Output(written.path, mark)
