"""Writes puzzles with the line ends that files in the wild have."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import strategies as st

from grader.model.assignment import RunAs
from grader.model.kit import PuzzleError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypothesis.strategies import SearchStrategy

    from grader.model.assignment import Kind


class Ends(StrEnum):
    """How the lines of a file end."""

    PLAIN = "plain"
    CUT = "cut"
    """The last line has no end."""
    WINDOWS = "windows"


class PuzzleFile(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle on its way into a file."""

    puzzle: Any
    ends: Ends = Ends.PLAIN


_OFTEN_PLAIN = (*(Ends.PLAIN,) * 8, Ends.CUT, Ends.WINDOWS)


class PuzzleFiles:
    """Turns a kit's puzzles into files; other ends only where they are the same puzzle to the kit."""

    def __init__(self, kit: Any, kind: Kind) -> None:
        self._kit = kit
        self._is_file = bool(kind.run.file) and (kind.run.run_as is RunAs.PROGRAM or kind.run.args is not None)

    def of(self, puzzles: SearchStrategy[Any]) -> SearchStrategy[PuzzleFile]:
        """Write most puzzles with plain ends."""
        ends = st.sampled_from(_OFTEN_PLAIN) if self._is_file else st.just(Ends.PLAIN)
        return st.builds(self._file, puzzles, ends)

    def _file(self, puzzle: Any, ends: Ends) -> PuzzleFile:
        file = PuzzleFile(puzzle=puzzle, ends=ends)
        return file if ends is Ends.PLAIN or self._reads(file) else PuzzleFile(puzzle=puzzle)

    def _reads(self, file: PuzzleFile) -> bool:
        try:
            return bool(self._kit.parse(self.write(file)) == file.puzzle)
        except PuzzleError:
            return False

    def write(self, file: PuzzleFile) -> str:
        text: str = self._kit.write(file.puzzle)
        match file.ends:
            case Ends.PLAIN:
                return text
            case Ends.CUT:
                return text.removesuffix("\n")
            case Ends.WINDOWS:
                return text.replace("\n", "\r\n")

    def size(self, file: PuzzleFile) -> int:
        """Count letters, not how lines end: plain ends are the simplest, though not always the shortest."""
        return len("\n".join(self.write(file).splitlines()))

    def smaller(self, file: PuzzleFile, smaller: Callable[[Any], Iterator[Any]]) -> Iterator[PuzzleFile]:
        """Yield the file with plain ends first, then every smaller puzzle with the same ends."""
        if file.ends is not Ends.PLAIN:
            yield PuzzleFile(puzzle=file.puzzle)
        for puzzle in smaller(file.puzzle):
            yield self._file(puzzle, file.ends)
