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


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle on its way into a file."""

    puzzle: Any
    ends: Ends = Ends.PLAIN


_OFTEN_PLAIN = (*(Ends.PLAIN,) * 8, Ends.CUT, Ends.WINDOWS)


class Stationery:
    """Turns a kit's puzzles into sheets; other ends only where they are the same puzzle to the kit."""

    def __init__(self, kit: Any, kind: Kind) -> None:
        self._kit = kit
        self._is_file = bool(kind.run.file) and (kind.run.run_as is RunAs.PROGRAM or kind.run.args is not None)

    def sheets(self, puzzles: SearchStrategy[Any]) -> SearchStrategy[Sheet]:
        """Put most puzzles on plain sheets."""
        ends = st.sampled_from(_OFTEN_PLAIN) if self._is_file else st.just(Ends.PLAIN)
        return st.builds(self._sheet, puzzles, ends)

    def _sheet(self, puzzle: Any, ends: Ends) -> Sheet:
        sheet = Sheet(puzzle=puzzle, ends=ends)
        return sheet if ends is Ends.PLAIN or self._reads(sheet) else Sheet(puzzle=puzzle)

    def _reads(self, sheet: Sheet) -> bool:
        try:
            return bool(self._kit.parse(self.write(sheet)) == sheet.puzzle)
        except PuzzleError:
            return False

    def write(self, sheet: Sheet) -> str:
        text: str = self._kit.write(sheet.puzzle)
        match sheet.ends:
            case Ends.PLAIN:
                return text
            case Ends.CUT:
                return text.removesuffix("\n")
            case Ends.WINDOWS:
                return text.replace("\n", "\r\n")

    def smaller(self, sheet: Sheet, smaller: Callable[[Any], Iterator[Any]]) -> Iterator[Sheet]:
        """Give the plain sheet first, then every smaller puzzle with the same ends."""
        if sheet.ends is not Ends.PLAIN:
            yield Sheet(puzzle=sheet.puzzle)
        for puzzle in smaller(sheet.puzzle):
            yield self._sheet(puzzle, sheet.ends)
