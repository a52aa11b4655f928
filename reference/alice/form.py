"""What tells one written format of the Alice maze from the others."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from reference.alice.puzzle import Answer, Maze, Place


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """What tells one written format from the others."""

    parse: Callable[[str], Maze]
    write: Callable[[Maze], str]
    tell: Callable[[Answer], str]
    """Writes the answer as a program for this format prints it."""
    column_first: bool = False
    """Places are written (column,row)."""
    square_only: bool = False
    has_blanks: bool = True
    start_may_be_goal: bool = True
    has_bare: bool = True
    """A square may have a colour and no arrows."""
    colours_start: bool = False
    """The programs of this format agree about the start's colour, so puzzles may hang on it."""

    def show(self, place: Place) -> str:
        """Write a place as this format does."""
        return f"({place[1]},{place[0]})" if self.column_first else f"({place[0]}, {place[1]})"
