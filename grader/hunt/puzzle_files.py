"""Draws puzzles, and writes them with the line ends that files in the wild have."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from grader.model.assignment import RunAs
from grader.model.dice import Dice
from grader.model.kit import PuzzleError, Shrinking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Kind
    from grader.model.kit import Shape


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
_SEEDS = 1 << 53


def hunted(kit: Any, *, long: bool = False) -> tuple[tuple[str, Shape], ...]:
    """Return the shapes of puzzles that hunts draw, many or few of."""
    shapes: dict[str, Shape] = kit.shapes()
    return tuple((name, shape) for name, shape in shapes.items() if shape.hunted and shape.is_long is long)


class PuzzleFiles:
    """Turns a kit's puzzles into files; other ends only where they are the same puzzle to the kit."""

    def __init__(self, kit: Any, kind: Kind) -> None:
        self._kit = kit
        self._is_file = bool(kind.run.file) and (kind.run.run_as is RunAs.PROGRAM or kind.run.args is not None)

    def draw(self, dice: Dice, *, long: bool = False) -> PuzzleFile:
        """Draw a puzzle; most have plain ends."""
        name, shape = dice.choose(hunted(self._kit, long=long))
        assert shape.hunted is not None
        size = dice.between(*shape.hunted)
        puzzle = self._kit.parse(self._kit.vary(Dice(str(dice.pick(_SEEDS))), name, size))
        return self._file(puzzle, dice.choose(_OFTEN_PLAIN) if self._is_file else Ends.PLAIN)

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

    def smaller(self, file: PuzzleFile) -> Iterator[PuzzleFile]:
        """Yield the file with plain ends first, then every smaller puzzle with the same ends."""
        if file.ends is not Ends.PLAIN:
            yield PuzzleFile(puzzle=file.puzzle)
        if isinstance(self._kit, Shrinking):
            for puzzle in self._kit.smaller(file.puzzle):
                yield self._file(puzzle, file.ends)
